// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Stepped runs that follow one another: the thread that drives them may be the same one, and nobody can tell. */
class LoopTest {
  private static final InheritableThreadLocal<String> BEQUEATHED = new InheritableThreadLocal<>();

  private static <T> T run(Callable<T> program) throws Exception {
    return Cooperative.create().engine(Engine.STEPPED).run(program);
  }

  /** By a thread that bequeaths nothing to those that it starts, unless the body sees to that. */
  private static <T> FutureTask<T> caller(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    Thread.ofPlatform().inheritInheritableThreadLocals(false).start(task);
    return task;
  }

  /** Those that drive nothing any more: another test may have left a task behind that never comes back, and with it its loop. */
  private static List<Thread> idleLoops() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().equals("baton-loop"))
        .filter(each -> Arrays.stream(each.getValue()).noneMatch(frame -> frame.getClassName().endsWith(".Driver")))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Test
  void aProgramInheritsFromItsOwnCaller() throws Exception {
    caller(() -> run(() -> "nothing was inherited, and the loop stays")).get();
    for (String value : List.of("one", "two")) {
      String seen =
          caller(
                  () -> {
                    BEQUEATHED.set(value);
                    return run(() -> BEQUEATHED.get());
                  })
              .get();
      assertThat(seen).isEqualTo(value);
    }
    assertThat(caller(() -> run(() -> String.valueOf((Object) BEQUEATHED.get()))).get()).isEqualTo("null");
  }

  @Test
  void aProgramHasTheContextOfItsOwnCaller() throws Exception {
    for (int i = 0; i < 3; i++) {
      try (URLClassLoader context = new URLClassLoader(new URL[0])) {
        ClassLoader seen =
            caller(
                    () -> {
                      Thread.currentThread().setContextClassLoader(context);
                      return run(() -> Thread.currentThread().getContextClassLoader());
                    })
                .get();
        assertThat(seen).isSameAs(context);
      }
    }
  }

  @Test
  void runsOfManyCallersDoNotMeet() throws Exception {
    List<FutureTask<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      callers.add(
          caller(
              () -> {
                int sum = 0;
                for (int n = 0; n < 300; n++) {
                  int own = n;
                  sum += run(() -> own);
                }
                return sum;
              }));
    }
    for (FutureTask<Integer> each : callers) {
      assertThat(each.get()).isEqualTo(299 * 300 / 2);
    }
  }

  @Test
  void aRunThatWasInterruptedLeavesNothingToTheNext() throws Exception {
    boolean interrupted =
        caller(
                () -> {
                  Thread self = Thread.currentThread();
                  run(
                      () -> {
                        self.interrupt();
                        return self;
                      });
                  boolean told = Thread.interrupted();
                  return run(() -> Thread.currentThread().isInterrupted()) || (told && Thread.interrupted());
                })
            .get();
    assertThat(interrupted).isFalse();
  }

  @Test
  void theLoopIsGoneSoonAfterTheLastRun() throws Exception {
    caller(() -> run(() -> 1)).get();
    for (Thread loop : idleLoops()) {
      boolean ended = loop.join(Duration.ofSeconds(20));
      assertThat(ended).as("has ended, and does not do this: %s", List.of(loop.getStackTrace())).isTrue();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.sync.Event;
import dev.baton.sync.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that do what a run would rather they did not, on both engines. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileTest {
  @Parameter Engine engine;

  private Cooperative world() {
    return Cooperative.create().engine(engine);
  }

  // ---- interrupts ----

  @Test
  void anInterruptOfTheCallerIsSeenByALoopThatNeverWaits() throws Exception {
    Thread caller = Thread.currentThread();
    String result =
        world()
            .run(
                () -> {
                  caller.interrupt();
                  while (!Thread.currentThread().isInterrupted()) {
                    Cooperative.yieldNow();
                  }
                  return "seen";
                });
    assertThat(Thread.interrupted()).isTrue();
    assertThat(result).isEqualTo("seen");
  }

  @Test
  void aCancelFromOutsideReachesATaskThatRunsAlone() throws Exception {
    Event never = new Event();
    for (int i = 0; i < 200; i++) {
      AtomicReference<Task<String>> task = new AtomicReference<>();
      Thread outside =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (task.get() == null) {
                      Thread.onSpinWait();
                    }
                    task.get().cancel();
                  });
      world()
          .run(
              () ->
                  Scope.run(
                      scope -> {
                        task.set(
                            scope.fork(
                                () -> {
                                  for (int j = 0; j < 300; j++) {
                                    Cooperative.yieldNow();
                                  }
                                  never.await();
                                  return "never";
                                }));
                        scope.join();
                      }));
      outside.join();
    }
  }

  @Test
  void whoeverWaitsForATaskThatIsOnItsWayOutMayBeInterrupted() throws Exception {
    List<String> order = new ArrayList<>();
    world()
        .run(
            () ->
                Scope.run(
                    outer -> {
                      Event go = new Event();
                      Event goOn = new Event();
                      Promise<Task<?>> last = new Promise<>();
                      Task<?> joiner =
                          outer.fork(
                              () ->
                                  Scope.run(
                                      scope -> {
                                        last.complete(scope.fork(() -> go.await()));
                                        scope.join();
                                      }));
                      Task<?> leaving = last.future().await();
                      yieldOften();
                      // Once it has its result, it goes on in a callback.
                      leaving.toCompletableFuture()
                          .thenRun(
                              () -> {
                                order.add("leaves");
                                goOn.awaitUninterruptibly();
                                order.add("gone");
                              });
                      go.set();
                      yieldOften();
                      assertThat(order).containsExactly("leaves");
                      joiner.cancel();
                      yieldOften();
                      goOn.set();
                      outer.join();
                    }));
    assertThat(order).containsExactly("leaves", "gone");
  }

  private static void yieldOften() {
    for (int i = 0; i < 20; i++) {
      Cooperative.yieldNow();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.Clock;
import dev.baton.runtime.DeadlockException;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Semaphore;
import dev.baton.sync.Waitable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Programs that misbehave, at places that other tests do not reach. */
class HostileTest extends OnBothEngines {

  record Ping(int n) implements Effect<Integer> {}

  // ---- handlers that do not let themselves be thrown out ----

  @Test
  void aHandlerThatResumesAfterItWasThrownOutDoesNotKeepADeadlockFromBeingReported() {
    assertThat(error(() -> handle(Ping.class, HostileTest::resumesWhateverHappens, () -> perform(new Ping(1)))))
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("main waits for Promise 1");
  }

  @Test
  void aHandlerThatPassesOnWhatFailsWhileItIsThrownOutDoesNotKeepADeadlockFromBeingReported() {
    Handlers failing =
        Handlers.of(
            Ping.class,
            ping -> {
              try {
                return Effects.<Integer>join(Effects.<Integer>promise().future());
              } catch (Throwable thrownOut) {
                throw new IOException("failed to clean up");
              }
            });
    Program<Object> program =
        () -> handle(failing, () -> Effects.<Integer, Ping, Object>handle(Ping.class, (ping, rest) -> rest.pass(), () -> perform(new Ping(1))));
    assertThat(error(program)).isInstanceOf(DeadlockException.class);
  }

  @Test
  void aHandlerThatResumesAfterItWasThrownOutDoesNotKeepARunFromEnding() {
    RunResult<String> result =
        result(
            () -> {
              spawn("stuck", () -> handle(Ping.class, HostileTest::resumesWhateverHappens, () -> perform(new Ping(2))));
              letOthersRun();
              return "done";
            });
    assertThat(result.value()).isEqualTo("done");
    assertThat(result.stuck()).isPresent();
  }

  /** Waits for what never comes, so many times. */
  private static Object resumesWhateverHappens(Ping ping, Resumption<Integer, Object> rest) {
    for (int i = 0; i < ping.n(); i++) {
      try {
        join(promise().future());
      } catch (Throwable thrownOut) {
        // As it deserves.
      }
    }
    return rest.resume(1);
  }

  // ---- interrupts that are nobody's ----

  @Test
  void anInterruptOfTheThreadMeansTheSameWhetherOrNotSomebodyLooks() throws Exception {
    for (int before = 0; before < 6; before++) {
      for (int until = 0; until < 6; until++) {
        int yields = before;
        int wait = until;
        String unseen = value(() -> interruptedFromBeside(yields, wait));
        String seen = value(() -> Effects.observe(effect -> {}, () -> interruptedFromBeside(yields, wait)));
        assertThat(unseen).as("after %d steps, interrupted after %d", before, until).isEqualTo(seen);
      }
    }
  }

  /** A task that takes and gives back a permit after so many steps, while its thread is interrupted by another after so many. */
  private static String interruptedFromBeside(int yields, int wait) {
    Semaphore semaphore = Effects.semaphore(1);
    AtomicReference<Thread> thread = new AtomicReference<>();
    StringBuilder log = new StringBuilder();
    Task<String> target =
        spawn(
            () -> {
              thread.set(Thread.currentThread());
              yieldOften(yields);
              log.append("asks ");
              try {
                Effects.acquire(semaphore);
              } catch (TaskCancelledException e) {
                return log + "cancelled";
              }
              log.append("has ");
              Effects.release(semaphore);
              return log + "ended";
            });
    spawn(
        () -> {
          yieldOften(wait);
          log.append("interrupt ");
          thread.get().interrupt();
          return "";
        });
    return join(target) + " " + target.state();
  }

  private static void yieldOften(int times) {
    for (int i = 0; i < times; i++) {
      yieldNow();
    }
  }

  // ---- the world outside ----

  /** Runs {@code program}, which waits for nothing but this promise; it is kept when the run has found nothing to do for a while. */
  private <T> T whileTheWorldIsSlow(java.util.function.Function<ExternalPromise<String>, T> program) throws Exception {
    AtomicReference<ExternalPromise<String>> made = new AtomicReference<>();
    return runner()
        .clock(Clock.real())
        .stallAfter(Duration.ofMillis(20))
        .onStall(stall -> made.get().complete("came"))
        .<T>run(
            () -> {
              ExternalPromise<String> promise = externalPromise();
              made.set(promise);
              return program.apply(promise);
            })
        .orThrow();
  }

  @Test
  void waitingForSeveralOfWhichOneComesFromOutsideIsNoDeadlock() throws Exception {
    assertThat(this.<List<String>>whileTheWorldIsSlow(outer -> gather(outer.future()))).containsExactly("came");
    assertThat(
            this.<String>whileTheWorldIsSlow(
                outer -> {
                  Promise<String> never = promise();
                  return race(never.future(), outer.future()).value();
                }))
        .isEqualTo("came");
  }

  @Test
  void waitingForSeveralThatOnlyTheRunCouldEndIsADeadlock() {
    assertThat(error(() -> gather(promise().future(), promise().future()))).isInstanceOf(DeadlockException.class);
    assertThat(error(() -> race(promise().future(), promise().future()))).isInstanceOf(DeadlockException.class);
    // Made in the run as well, though not by an effect.
    assertThat(error(() -> gather(new dev.baton.sync.Promise<Object>().future()))).isInstanceOf(DeadlockException.class);
  }

  @Test
  void aCallbackOfAnExternalPromiseRunsUnderNoLock() throws Exception {
    assertThat(
            this.<Boolean>value(
                () -> {
                  ExternalPromise<String> promise = externalPromise();
                  return Effects.await(
                      () -> {
                        CompletableFuture<Boolean> again = new CompletableFuture<>();
                        promise
                            .future()
                            .toCompletableFuture()
                            .thenRun(
                                () -> {
                                  CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> promise.complete("again"));
                                  again.complete(other.completeOnTimeout(true, 5, TimeUnit.SECONDS).join());
                                });
                        assertThat(promise.complete("once")).isTrue();
                        return again.get();
                      });
                }))
        .isFalse();
  }

  @Test
  void theStateOfATaskIsSeenByThreadsThatWaitForIt() throws Exception {
    AtomicReference<Task<Object>> task = new AtomicReference<>();
    CompletableFuture<TaskState> seen = new CompletableFuture<>();
    CountDownLatch looking = new CountDownLatch(1);
    Thread outside =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  Task<Object> looked;
                  while ((looked = task.get()) == null) {
                    Thread.onSpinWait();
                  }
                  looking.countDown();
                  TaskState state = looked.state();
                  while (!state.isDone()) {
                    state = looked.state();
                  }
                  seen.complete(state);
                });
    value(
        () -> {
          Promise<Object> gate = promise();
          Task<Object> made = spawn(() -> join(gate.future()));
          yieldNow();
          task.set(made);
          looking.await();
          // Long enough for the compiler to think of something.
          Effects.sleep(Duration.ofMillis(1));
          for (int i = 0; i < 200_000; i++) {
            tell(i);
          }
          Effects.complete(gate, "open");
          return join(made);
        });
    assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo(TaskState.COMPLETED);
    outside.join();
  }

  /** A stage that does not choose to get on with futures, as its contract allows. */
  private static final class Loner<T> extends CompletableFuture<T> {
    @Override
    public CompletableFuture<T> toCompletableFuture() {
      throw new UnsupportedOperationException("no future");
    }
  }

  @Test
  void aStageThatCannotBeCancelledDoesNotKeepItsTaskFromBeingCancelled() throws Exception {
    value(
        () -> {
          Task<Object> task = spawn(() -> Effects.<Object>await(new Loner<>()));
          letOthersRun();
          task.cancel();
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
          return null;
        });
  }

  // ---- runs in runs ----

  @Test
  void aTaskThatIsCancelledWhileItRunsAnotherProgramIsToldToo() throws Exception {
    List<Object> seen = new ArrayList<>();
    value(
        () -> {
          Task<String> task =
              spawn(
                  () -> {
                    RunResult<Object> inner = Effects.run(() -> join(promise().future()));
                    seen.add(inner.error().orElseThrow().getClass());
                    tell("told here");
                    seen.add("not reached");
                    return "not returned";
                  });
          letOthersRun();
          assertThat(task.cancel()).isTrue();
          assertThat(task.cancel()).isFalse();
          assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
          assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
          return null;
        });
    assertThat(seen).containsExactly(TaskCancelledException.class);
  }

  @Test
  void whoIsInterruptedWhileItRunsAProgramIsInterruptedAfterwards() throws Exception {
    List<Object> seen = new ArrayList<>();
    dev.baton.runtime.Cooperative.create()
        .engine(engine)
        .run(
            () ->
                Scope.run(
                    scope -> {
                      Task<Object> task =
                          scope.fork(
                              () -> {
                                RunResult<Object> inner = Effects.run(() -> join(promise().future()));
                                seen.add(inner.error().orElseThrow().getClass());
                                seen.add(Thread.currentThread().isInterrupted());
                                return null;
                              });
                      dev.baton.scope.Time.sleep(Duration.ofSeconds(1));
                      task.cancel();
                      dev.baton.scope.Time.sleep(Duration.ofSeconds(1));
                    }));
    assertThat(seen).containsExactly(TaskCancelledException.class, true);
  }

  // ---- handlers ----

  @Test
  void aCancellationThatComesWhileAHandlerEndsIsNotLost() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          List<Task<Object>> self = new ArrayList<>();
          self.add(
              spawn(
                  () ->
                      Effects.<Integer, Ping, Object>handle(
                          Ping.class,
                          (ping, rest) -> {
                            self.getFirst().cancel();
                            throw new IOException("instead of an answer");
                          },
                          () -> {
                            try {
                              return perform(new Ping(1));
                            } catch (Exception e) {
                              order.add(e.getMessage());
                              return join(promise().future());
                            }
                          })));
          assertThatThrownBy(() -> join(self.getFirst())).isInstanceOf(TaskCancelledException.class);
          return null;
        });
    assertThat(order).containsExactly("instead of an answer");
  }

  @Test
  void anErrorOfTheMachineInAnInheritedHandlerEndsTheRun() {
    Throwable error =
        error(
            () ->
                Effects.<Integer, Ping, Object>handle(
                    Ping.class,
                    (ping, rest) -> {
                      rest.resume(1);
                      throw new InternalError("broken");
                    },
                    () -> {
                      Task<Integer> task = spawn(() -> perform(new Ping(1)));
                      try {
                        return join(task);
                      } catch (Throwable swallowed) {
                        return "as if nothing had happened";
                      }
                    }));
    assertThat(error).isInstanceOf(InternalError.class).hasMessage("broken");
  }

  @Test
  void tenThousandSetsOfHandlersAndObserversAreNoBurden() throws Exception {
    List<Handlers> sets = new ArrayList<>();
    long[] told = new long[1];
    for (int i = 0; i < 10_000; i++) {
      int answer = i;
      sets.add(i % 2 == 0 ? Handlers.of(Ping.class, ping -> answer) : Handlers.observing(effect -> told[0]++));
    }
    Handlers all = Handlers.defaults().with(Handlers.stack(sets));
    long before = Heap.used();
    long[] used = new long[1];
    Program<Integer> program =
        () -> {
          used[0] = Heap.used() - before;
          return perform(new Ping(0));
        };
    assertThat(runner().handlers(all).run(program).value()).isEqualTo(9_998);
    assertThat(told[0]).isEqualTo(5_000);
    // A reference from each to each would be two hundred million bytes.
    assertThat(used[0]).isLessThan(100_000_000);
  }

  @Test
  void tenThousandHandlersMayWaitForTheEndOfOneProgram() throws Exception {
    int sum =
        value(
            () ->
                Effects.<Integer, Ping, Integer>handle(
                    Ping.class,
                    (ping, rest) -> rest.resume(1) + 1,
                    () -> {
                      int answers = 0;
                      for (int i = 0; i < 10_000; i++) {
                        answers += perform(new Ping(i));
                      }
                      return answers;
                    }));
    assertThat(sum).isEqualTo(20_000);
  }

  /** An effect that nobody can print. */
  private static final class Unprintable implements Effect<Integer> {
    @Override
    public String toString() {
      throw new IllegalStateException("cannot be printed");
    }
  }

  @Test
  void anEffectThatCannotBePrintedIsNoProblem() throws Exception {
    value(
        () -> {
          assertThatThrownBy(() -> perform(new Unprintable()))
              .isInstanceOf(UnhandledEffectException.class)
              .hasMessageContaining("Unprintable");
          Trace trace = Trace.create();
          Integer answer =
              Effects.observe(trace, () -> handle(Handlers.of(Unprintable.class, effect -> 5), () -> perform(new Unprintable())));
          assertThat(answer).isEqualTo(5);
          assertThat(trace.toString()).contains("Unprintable");
          return null;
        });
  }

  // ---- what cannot be ----

  @Test
  void nullIsRefusedWhereItIsPassed() throws Exception {
    value(
        () -> {
          assertThatThrownBy(() -> gather((Waitable<Object>[]) null)).isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> race((Waitable<Object>[]) null)).isInstanceOf(IllegalArgumentException.class);
          assertThatThrownBy(() -> Effects.sleep(null)).hasMessageContaining("duration");
          assertThatThrownBy(() -> Effects.fail(promise(), null)).hasMessageContaining("error");
          assertThatThrownBy(() -> externalPromise().fail(null)).hasMessageContaining("error");
          assertThatThrownBy(() -> Effects.local(java.util.Collections.singletonMap(null, 1), () -> 1)).hasMessageContaining("key");
          return null;
        });
    assertThatThrownBy(() -> runner().environment(java.util.Collections.singletonMap(null, 1))).hasMessageContaining("key");
    assertThatThrownBy(() -> runner().state(java.util.Collections.singletonMap(null, 1))).hasMessageContaining("key");
    assertThatThrownBy(() -> runner().environment(null)).hasMessageContaining("values");
    assertThatThrownBy(() -> Handlers.none().with(null)).hasMessageContaining("inner");
    assertThatThrownBy(() -> Handlers.stack(null)).hasMessageContaining("outermostFirst");
    assertThatThrownBy(() -> Retry.attempts(2).delay(null)).hasMessageContaining("delay");
    assertThatThrownBy(() -> Handlers.of(null, effect -> 1)).hasMessageContaining("type");
  }

  @Test
  void aRefusedTimeoutLeavesNothing() throws TimeoutException {
    assertThatThrownBy(() -> Timeout.after(Duration.ofSeconds(1)).run(() -> 1)).isInstanceOf(IllegalStateException.class);
  }
}

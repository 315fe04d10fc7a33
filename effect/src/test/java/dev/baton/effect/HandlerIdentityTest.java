// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.check.Kind;
import dev.baton.check.Report;
import dev.baton.observe.WaitGraph;
import dev.baton.runtime.DeadlockException;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.sync.Mutex;
import dev.baton.sync.Result;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A resumable handler works on a thread of its own. It is the task that has performed the effect all the same. */
class HandlerIdentityTest extends OnBothEngines {

  private @Nullable Scope opened;

  record Ping(int n) implements Effect<Integer> {}

  @SuppressWarnings({"rawtypes", "unchecked"}) // the class of an effect says nothing about its type arguments
  private static Handlers passing(Class<? extends Effect> type) {
    return Handlers.resuming((Class<Effect<Object>>) (Class) type, (effect, rest) -> rest.pass());
  }

  @Test
  void aTaskHasOneNumberWhoeverSpeaksOfIt() {
    RunResult<Object> stuck =
        result(
            () ->
                handle(
                    passing(Ping.class),
                    () -> {
                      for (int i = 0; i < 3; i++) {
                        attempt(() -> perform(new Ping(0)));
                      }
                      Task<Object> first = spawn(() -> join(Effects.promise().future()));
                      assertThat(first).hasToString("Task[task 1, PENDING]");
                      return join(first);
                    }));
    assertThat(stuck.error().orElseThrow()).isInstanceOf(DeadlockException.class).hasMessageContaining("task 1 waits for Promise 1");
  }

  @Test
  void aLockOfTheProgramIsGivenBackByItsHandlerAndTheOtherWayRound() throws Exception {
    value(
        () -> {
          RwLock shared = new RwLock();
          for (Lock lock : new Lock[] {new Mutex(), shared.writeLock(), shared.readLock()}) {
            Effects.<Integer, Ping, Object>handle(
                Ping.class,
                (ping, rest) -> {
                  lock.unlock();
                  Object end = rest.resume(0);
                  lock.unlock();
                  return end;
                },
                () -> {
                  lock.lock();
                  perform(new Ping(0));
                  lock.lock();
                  return null;
                });
            assertThat(lock.tryLock()).isTrue();
            lock.unlock();
          }
          return null;
        });
  }

  @Test
  void aScopeOfTheProgramIsNotForItsHandlerToClose() throws Exception {
    value(
        () ->
            Effects.<Integer, Ping, Object>handle(
                Ping.class,
                (ping, rest) -> {
                  assertThatThrownBy(() -> Objects.requireNonNull(opened).close()).isInstanceOf(WrongThreadException.class);
                  return rest.resume(0);
                },
                () -> {
                  try (Scope scope = Scope.open()) {
                    opened = scope;
                    perform(new Ping(0));
                  }
                  assertThat(Scope.timeLeft()).isEmpty();
                  return null;
                }));
  }

  @Test
  void aHandlerThatWantsALockOfItsProgramIsRefusedAsTheProgramWouldBe() throws Exception {
    value(
        () -> {
          Mutex mutex = new Mutex();
          Handlers wanting = Handlers.<Integer, Ping, Object>resuming(Ping.class, (ping, rest) -> {
            mutex.lock();
            return rest.resume(0);
          });
          mutex.lock();
          Result<?> refused = attempt(() -> { mutex.lock(); return null; });
          Throwable refusal = ((Result.Err<?>) refused).error();
          handle(
              wanting,
              () -> {
                assertThatThrownBy(() -> perform(new Ping(0))).hasSameClassAs(refusal);
                return null;
              });
          mutex.unlock();
          return null;
        });
  }

  @Test
  void aLockThatIsTakenInAProgramThatWasPassedOnBelongsToTheTask() throws Exception {
    value(
        () ->
            handle(
                passing(Try.class).with(passing(Try.class)),
                () -> {
                  Mutex mutex = new Mutex();
                  attempt(() -> { mutex.lock(); return null; });
                  assertThat(mutex.isHeldByCurrentThread()).isTrue();
                  mutex.unlock();
                  return null;
                }));
  }

  @Test
  void case78_aDeadlockSpeaksOfTasksAndNotOfTheThreadsOfTheirHandlers() {
    Throwable error =
        error(
            () ->
                handle(
                    passing(AcquireSemaphore.class),
                    () -> {
                      Semaphore one = semaphore(1);
                      acquire(one);
                      Task<Object> child = spawn("child", () -> { acquire(one); return null; });
                      letOthersRun();
                      return join(child);
                    }));
    assertThat(error).isInstanceOf(DeadlockException.class).hasMessageNotContaining("baton-handler");
    WaitGraph graph = ((DeadlockException) error).graph();
    assertThat(graph.waits()).extracting(wait -> wait.task().name()).containsExactlyInAnyOrder("main", "child");
    assertThat(graph.holds()).extracting(hold -> hold.task().name()).containsExactlyInAnyOrder("main", "child");
    assertThat(graph.cycles()).hasSize(1);
  }

  @Test
  void aTaskWhoseHandlersWaitForItsEndWaitsOnce() {
    Throwable error =
        error(
            () ->
                Effects.<Integer, Ping, Object>handle(
                    Ping.class,
                    (ping, rest) -> rest.resume(0),
                    () -> perform(new Ping(0)) + perform(new Ping(1)) + Effects.<Integer>join(Effects.<Integer>promise().future())));
    assertThat(((DeadlockException) error).graph().waits()).extracting(wait -> wait.task().name()).containsExactly("main");
  }

  @Test
  void case119_aLeakIsThatOfTheTask() {
    Report report =
        runner()
            .check(
                () ->
                    handle(
                        passing(AcquireSemaphore.class),
                        () -> {
                          Semaphore one = semaphore(1);
                          return join(spawn("forgetful", () -> { acquire(one); return null; }));
                        }))
            .engine(engine)
            .seeds(3)
            .search();
    assertThat(report.failure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.LEAKED_PERMIT);
              assertThat(failure.toString()).contains("forgetful").doesNotContain("baton-handler");
            });
  }
}

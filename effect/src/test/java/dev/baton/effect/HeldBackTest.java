// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.now;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.tryAcquire;
import static dev.baton.effect.Effects.withPermit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.scope.Time;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A task is not told of its cancellation where a permit would be lost by that, whatever observers and handlers do there. */
class HeldBackTest extends OnBothEngines {

  private static EffectObserver answered(Class<?> type) {
    return new EffectObserver() {
      @Override
      public void performed(Effect<?> effect) {}

      @Override
      public void answered(Effect<?> effect, Result<?> answer) {
        if (type.isInstance(effect)) {
          tell("answered");
        }
      }
    };
  }

  private interface Deed {
    void be() throws Exception;
  }

  private static EffectObserver ofRelease(Deed deed) {
    return effect -> {
      if (effect instanceof ReleaseSemaphore) {
        deed.be();
      }
    };
  }

  private static Map<String, Handlers> talkative() {
    Map<String, Handlers> all = new LinkedHashMap<>();
    all.put("observer", Handlers.observing(effect -> tell("performed")));
    all.put("observer that gives up its turn", Handlers.observing(ofRelease(Effects::yieldNow)));
    all.put("observer that waits", Handlers.observing(ofRelease(() -> Time.sleep(Duration.ofSeconds(1)))));
    all.put("observer of answers", Handlers.observing(answered(Effect.class)));
    all.put(
        "handler of release",
        Handlers.of(
            ReleaseSemaphore.class,
            release -> {
              tell("before");
              perform(release);
              tell("after");
              return null;
            }));
    all.put(
        "handler of release that waits",
        Handlers.of(
            ReleaseSemaphore.class,
            release -> {
              Effects.sleep(Duration.ofSeconds(1));
              return perform(release);
            }));
    all.put(
        "resumable handler of release",
        Handlers.resuming(
            ReleaseSemaphore.class,
            (ReleaseSemaphore release, Resumption<Void, Object> rest) -> {
              tell("before");
              return rest.pass();
            }));
    Handlers ofAcquire =
        Handlers.of(
            AcquireSemaphore.class,
            acquire -> {
              tell("before");
              perform(acquire);
              tell("after");
              return null;
            });
    all.put("handler of acquire", ofAcquire);
    all.put("two handlers of acquire", ofAcquire.with(ofAcquire));
    all.put(
        "resumable handler of acquire",
        Handlers.resuming(
            AcquireSemaphore.class,
            (AcquireSemaphore acquire, Resumption<Void, Object> rest) -> {
              perform(acquire);
              tell("after");
              return rest.resume(null);
            }));
    all.put(
        "handler of acquire that tries",
        Handlers.of(
            AcquireSemaphore.class,
            acquire -> {
              while (!tryAcquire(acquire.semaphore(), acquire.permits(), Duration.ofSeconds(1))) {
                tell("waits for long");
              }
              tell("after");
              return null;
            }));
    return all;
  }

  @Test
  void aPermitIsNotLostWhateverIsPerformedAroundIt() {
    talkative()
        .forEach(
            (name, handlers) ->
                assertThat(
                        runner()
                            .check(
                                () ->
                                    Effects.handle(
                                        handlers,
                                        () -> {
                                          Semaphore semaphore = semaphore(1);
                                          Task<Object> task = spawn("worker", () -> withPermit(semaphore, () -> 1));
                                          cancel(task);
                                          attempt(() -> join(task));
                                          assertThat(semaphore.available()).isEqualTo(1);
                                          return null;
                                        }))
                            .engine(engine)
                            .seeds(100)
                            .search()
                            .passed())
                    .as(name)
                    .isTrue());
  }

  @Test
  void whatWasHeldBackIsDeliveredWhenTheReleaseIsAnswered() throws Exception {
    List<String> course = new ArrayList<>();
    Handlers slow =
        Handlers.of(
            ReleaseSemaphore.class,
            release -> {
              Effects.sleep(Duration.ofSeconds(2));
              course.add("slept");
              return perform(release);
            });
    value(
        () ->
            Effects.handle(
                slow,
                () -> {
                  Semaphore semaphore = semaphore(1);
                  Task<Object> task =
                      spawn(
                          () -> {
                            acquire(semaphore);
                            try {
                              Effects.release(semaphore);
                            } catch (TaskCancelledException cancelled) {
                              course.add("cancelled with " + semaphore.available());
                            }
                            now();
                            return null;
                          });
                  Effects.sleep(Duration.ofSeconds(1));
                  assertThat(task.cancel()).isTrue();
                  assertThat(task.cancel()).isFalse();
                  assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
                  assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
                  return null;
                }));
    assertThat(course).containsExactly("slept", "cancelled with 1");
  }

  @Test
  void aHandlerOfAcquireThatWaitsForThePermitIsStillCancelled() throws Exception {
    value(
        () ->
            Effects.handle(
                talkative().get("handler of acquire"),
                () -> {
                  Semaphore semaphore = semaphore(1);
                  acquire(semaphore);
                  Task<Object> task = spawn(() -> { acquire(semaphore); return null; });
                  letOthersRun();
                  cancel(task);
                  assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
                  return null;
                }));
  }

  @Test
  void aPermitThatWasTriedForIsNotLostByItsHandler() {
    Handlers talkative =
        Handlers.of(
            TryAcquireSemaphore.class,
            attempt -> {
              boolean taken = perform(attempt);
              tell("after");
              return taken;
            });
    assertThat(
            runner()
                .check(
                    () ->
                        Effects.handle(
                            talkative,
                            () -> {
                              Semaphore semaphore = semaphore(1);
                              Task<Object> task =
                                  spawn(
                                      () -> {
                                        if (tryAcquire(semaphore)) {
                                          Effects.release(semaphore);
                                        }
                                        return null;
                                      });
                              cancel(task);
                              attempt(() -> join(task));
                              assertThat(semaphore.available()).isEqualTo(1);
                              return null;
                            }))
                .engine(engine)
                .seeds(100)
                .search()
                .passed())
        .isTrue();
  }

  @Test
  void anObserverThatRefusesTheAnswerOfAnAcquireLosesNoPermit() throws Exception {
    EffectObserver refusing =
        new EffectObserver() {
          @Override
          public void performed(Effect<?> effect) {}

          @Override
          public void answered(Effect<?> effect, Result<?> answer) {
            if (effect instanceof AcquireSemaphore || effect instanceof TryAcquireSemaphore) {
              throw new IllegalStateException("refused");
            }
          }
        };
    Handlers mock = Handlers.of(AcquireSemaphore.class, acquire -> null);
    value(
        () -> {
          Semaphore semaphore = semaphore(2);
          acquire(semaphore);
          Effects.observe(
              refusing,
              () -> {
                assertThatThrownBy(() -> withPermit(semaphore, () -> 1)).hasMessage("refused");
                assertThat(semaphore.available()).isEqualTo(1);
                assertThatThrownBy(() -> tryAcquire(semaphore)).hasMessage("refused");
                assertThat(semaphore.available()).isEqualTo(1);
                assertThatThrownBy(() -> tryAcquire(semaphore, 2)).hasMessage("refused");
                assertThat(semaphore.available()).isEqualTo(1);
                assertThatThrownBy(() -> Effects.handle(mock, () -> withPermit(semaphore, () -> 1))).hasMessage("refused");
                assertThat(semaphore.available()).as("what was never taken is not given back").isEqualTo(1);
                return null;
              });
          return null;
        });
  }
}

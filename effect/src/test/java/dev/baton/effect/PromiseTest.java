// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.complete;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.fail;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.Clock;
import dev.baton.runtime.Priority;
import dev.baton.runtime.Stall;
import dev.baton.scope.Task;
import dev.baton.sync.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Promises, kept inside and outside of a run. */
class PromiseTest extends OnBothEngines {

  @Test
  void case53_beforeAndAfterTheWait() throws Exception {
    assertThat(this.<List<String>>value(() -> {
          Promise<String> early = promise();
          complete(early, "early");
          Promise<String> late = promise();
          spawn(() -> { complete(late, "late"); return null; });
          return List.of(join(early.future()), join(late.future()));
        }))
        .containsExactly("early", "late");
  }

  @Test
  void case54_everyWaiterGetsTheError() throws Exception {
    value(
        () -> {
          Promise<String> promise = promise();
          List<Task<String>> waiters = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            waiters.add(spawn(() -> join(promise.future())));
          }
          yieldNow();
          fail(promise, new IllegalStateException("failed"));
          for (Task<String> waiter : waiters) {
            assertThatThrownBy(() -> join(waiter)).hasMessage("failed");
          }
          assertThatThrownBy(() -> join(promise.future())).hasMessage("failed");
          return null;
        });
  }

  @Test
  void anErrorThatIsTheValueOfAPromiseOrTaskIsNotThrown() throws Exception {
    Result<String> failed = new Result.Err<>(new IllegalStateException("of the value"));
    assertThat(this.<List<Result<String>>>value(() -> {
          Promise<Result<String>> promise = promise();
          complete(promise, failed);
          Task<Result<String>> task = spawn(() -> failed);
          return List.of(join(promise.future()), join(task), task.result(), gather(promise.future(), task).getLast());
        }))
        .allSatisfy(value -> assertThat(value).isSameAs(failed));
  }

  @Test
  void aPromiseIsKeptOnce() throws Exception {
    value(
        () -> {
          Promise<String> promise = promise();
          complete(promise, "once");
          assertThatThrownBy(() -> complete(promise, "twice")).isInstanceOf(IllegalStateException.class);
          assertThatThrownBy(() -> fail(promise, new IllegalStateException())).isInstanceOf(IllegalStateException.class);
          assertThat(join(promise.future())).isEqualTo("once");
          return null;
        });
  }

  @Test
  void case56_anExternalPromiseHasMethodsOfItsOwn() throws Exception {
    value(
        () -> {
          ExternalPromise<String> promise = externalPromise();
          assertThatThrownBy(() -> complete(promise, "x"))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("its own methods");
          assertThatThrownBy(() -> fail(promise, new IllegalStateException()))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageContaining("its own methods");
          assertThat(promise.complete("own")).isTrue();
          return join(promise.future());
        });
  }

  @Test
  void case58_aCompleterDoesNotWaitForAnExternalWait() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          ExternalPromise<String> outside = externalPromise();
          Task<Boolean> unrelated = spawn(() -> order.add(join(outside.future())));
          Promise<String> inner = promise();
          Task<Boolean> waiter = spawn(() -> order.add(join(inner.future())));
          yieldNow();
          complete(inner, "inner");
          order.add("completer");
          join(waiter);
          // Only now: whoever had waited for it before would wait still.
          Thread.ofVirtual().start(() -> outside.complete("outside"));
          join(unrelated);
          return null;
        });
    assertThat(order).containsExactly("completer", "inner", "outside");
  }

  @Test
  void case59_aHigherWaiterGoesOnBeforeTheCompleter() throws Exception {
    for (boolean failing : new boolean[] {false, true}) {
      List<String> order = new ArrayList<>();
      value(
          () -> {
            Promise<String> promise = promise();
            Task<Boolean> waiter =
                spawn(
                    () -> {
                      Effects.attempt(() -> join(promise.future()));
                      return order.add("waiter-after-wait");
                    },
                    Priority.NORMAL);
            Task<Boolean> completer =
                spawn(
                    () -> {
                      order.add("before-complete");
                      if (failing) {
                        fail(promise, new IllegalStateException());
                      } else {
                        complete(promise, "v");
                      }
                      return order.add("completer-after-complete");
                    },
                    Priority.IDLE);
            return gather(waiter, completer);
          });
      assertThat(order).containsExactly("before-complete", "waiter-after-wait", "completer-after-complete");
    }
  }

  // ---- external ----

  @Test
  void case60_keptBeforeAfterAndFromAnotherThread() throws Exception {
    value(
        () -> {
          ExternalPromise<String> before = externalPromise();
          before.complete("before");
          assertThat(join(before.future())).isEqualTo("before");

          ExternalPromise<String> after = externalPromise();
          spawn(() -> after.complete("after"));
          assertThat(join(after.future())).isEqualTo("after");

          ExternalPromise<String> thread = externalPromise();
          Thread.ofPlatform().start(() -> thread.complete("thread"));
          assertThat(join(thread.future())).isEqualTo("thread");

          ExternalPromise<String> nothing = externalPromise();
          nothing.complete(null);
          assertThat(join(nothing.future())).isNull();

          ExternalPromise<String> failed = externalPromise();
          Thread.ofPlatform().start(() -> failed.fail(new IllegalStateException("outside")));
          assertThatThrownBy(() -> join(failed.future())).hasMessage("outside");
          return null;
        });
  }

  @Test
  void case61_aHundredThreadsThatAreWaitedForTogether() throws Exception {
    CountDownLatch together = new CountDownLatch(100);
    long start = System.nanoTime();
    List<Integer> values =
        value(
            () -> {
              List<Task<Integer>> tasks = new ArrayList<>();
              for (int i = 0; i < 100; i++) {
                int n = i;
                tasks.add(
                    spawn(
                        () -> {
                          ExternalPromise<Integer> promise = externalPromise();
                          Thread.ofVirtual()
                              .start(
                                  () -> {
                                    // Nobody goes on before all hundred do: were they waited for one by one, none would.
                                    together.countDown();
                                    try {
                                      together.await();
                                      promise.complete(n);
                                    } catch (InterruptedException e) {
                                      promise.fail(e);
                                    }
                                  });
                          return join(promise.future());
                        }));
              }
              return gather(tasks);
            });
    assertThat(values).hasSize(100).isSorted();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void case63_aSecondCompletionAndOneAfterTheRunDoNothing() throws Exception {
    AtomicReference<ExternalPromise<String>> open = new AtomicReference<>();
    value(
        () -> {
          ExternalPromise<String> promise = externalPromise();
          assertThat(promise.complete("once")).isTrue();
          assertThat(promise.complete("twice")).isFalse();
          assertThat(promise.fail(new IllegalStateException())).isFalse();
          assertThat(join(promise.future())).isEqualTo("once");
          open.set(externalPromise());
          return null;
        });
    assertThat(open.get().complete("too late")).isFalse();
  }

  @Test
  void case65_aLongWaitIsWarnedOfWithTheNamesOfThoseWhoWait() throws Exception {
    List<Stall> stalls = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<ExternalPromise<String>> awaited = new CompletableFuture<>();
    String value =
        runner()
            .clock(Clock.real())
            .stallAfter(Duration.ofMillis(50))
            .onStall(
                stall -> {
                  stalls.add(stall);
                  awaited.thenAccept(promise -> promise.complete("came"));
                })
            .<String>run(
                () ->
                    join(
                        spawn(
                            "patient",
                            () -> {
                              ExternalPromise<String> promise = externalPromise();
                              awaited.complete(promise);
                              return join(promise.future());
                            })))
            .orThrow();
    assertThat(value).isEqualTo("came");
    assertThat(stalls).anySatisfy(stall -> assertThat(stall.toString()).contains("patient", "ExternalPromise"));
  }
}

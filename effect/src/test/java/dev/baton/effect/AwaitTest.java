// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.withPermit;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.Clock;
import dev.baton.scope.Task;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Waiting for outside work, under both presets and both runners. */
class AwaitTest extends OnBothEngines {

  private Runner real() {
    return runner().clock(Clock.real());
  }

  private Runner async() {
    return real().handlers(Handlers.asyncDefaults());
  }

  @Test
  void workOfEveryKind() throws Exception {
    CompletableFuture<String> stage = CompletableFuture.completedFuture("stage");
    List<String> values =
        real()
            .<List<String>>run(
                () -> {
                  String call = await(() -> "call");
                  String begun = Effects.awaitStage(() -> CompletableFuture.completedFuture("begun"));
                  String bare = await(stage);
                  return List.of(call, begun, bare);
                })
            .orThrow();
    assertThat(values).containsExactly("call", "begun", "stage");
    Throwable error = real().run(() -> await(() -> { throw new IOException("outside"); })).error().orElseThrow();
    assertThat(error).isInstanceOf(IOException.class).hasMessage("outside");
    CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException("stage"));
    assertThat(real().run(() -> await(failed.thenApply(x -> x))).error().orElseThrow()).isInstanceOf(IOException.class);
  }

  @Test
  void whatTheWorkItselfThrowsIsThrownAsItIs() {
    CompletionException own = new CompletionException("own", new IOException("its cause"));
    assertThat(real().run(() -> await(() -> { throw own; })).error()).containsSame(own);
    assertThat(real().run(() -> Effects.awaitStage(() -> { throw own; })).error()).containsSame(own);
  }

  @Test
  void aStageThatRefusesToBeFollowedIsAnErrorAndHoldsNobodyUp() throws Exception {
    CompletableFuture<String> refusing =
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
            throw new UnsupportedOperationException("not to be followed");
          }
        };
    for (Runner runner : List.of(real(), async())) {
      List<String> seen =
          runner
              .<List<String>>runAsync(
                  () -> {
                    Task<Result<String>> bare = spawn(() -> Effects.attempt(() -> await(refusing)));
                    Task<Result<String>> begun = spawn(() -> Effects.attempt(() -> Effects.awaitStage(() -> refusing)));
                    Task<Result<String>> next = spawn(() -> Effects.attempt(() -> await(() -> "next")));
                    return gather(bare, begun, next).stream().map(Object::toString).toList();
                  })
              .get(30, TimeUnit.SECONDS)
              .orThrow();
      assertThat(seen.get(0)).contains("not to be followed");
      assertThat(seen.get(1)).contains("not to be followed");
      assertThat(seen.get(2)).contains("next");
    }
  }

  @Test
  void case66_underTheAsyncPresetWorkOverlaps() throws Exception {
    for (int n : new int[] {10, 50}) {
      CountDownLatch all = new CountDownLatch(n);
      RunResult<List<Integer>> result =
          async()
              .<List<Integer>>runAsync(
                  () -> {
                    List<Task<Integer>> tasks = new ArrayList<>();
                    for (int i = 0; i < n; i++) {
                      int index = i;
                      tasks.add(
                          spawn(
                              () ->
                                  await(
                                      () -> {
                                        all.countDown();
                                        // Nobody passes before everybody is here.
                                        all.await();
                                        return index;
                                      })));
                    }
                    return gather(tasks);
                  })
              .get();
      assertThat(result.value()).hasSize(n).isSorted();
    }
  }

  @Test
  void case66_asManyOverlapAsThereArePermits() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CyclicBarrier ten = new CyclicBarrier(10);
    RunResult<List<Integer>> result =
        async()
            .<List<Integer>>runAsync(
                () -> {
                  Semaphore semaphore = Effects.semaphore(10);
                  List<Task<Integer>> tasks = new ArrayList<>();
                  for (int i = 0; i < 20; i++) {
                    int index = i;
                    tasks.add(
                        spawn(
                            () ->
                                withPermit(
                                    semaphore,
                                    () ->
                                        await(
                                            () -> {
                                              most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                              ten.await();
                                              inside.decrementAndGet();
                                              return index;
                                            }))));
                  }
                  return gather(tasks);
                })
            .get();
    assertThat(result.value()).hasSize(20).isSorted();
    assertThat(most).hasValueLessThanOrEqualTo(10);
  }

  private Program<List<Integer>> oneAtATime(List<Integer> order, AtomicInteger most, AtomicInteger others) {
    AtomicInteger inside = new AtomicInteger();
    return () -> {
      List<Task<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int index = i;
        tasks.add(
            spawn(
                () ->
                    await(
                        () -> {
                          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                          order.add(index);
                          int seen = others.get();
                          while (others.get() == seen) {
                            // Tasks that do not await go on meanwhile.
                            Thread.onSpinWait();
                          }
                          inside.decrementAndGet();
                          return index;
                        })));
      }
      Task<Object> counter =
          spawn(
              () -> {
                while (true) {
                  others.incrementAndGet();
                  yieldNow();
                }
              });
      List<Integer> values = gather(tasks);
      Effects.cancel(counter);
      return values;
    };
  }

  @Test
  void case66_underTheDefaultPresetWorkDoesNotOverlap() throws Exception {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger most = new AtomicInteger();
    assertThat(real().run(oneAtATime(order, most, new AtomicInteger())).value()).isSorted();
    assertThat(most).hasValue(1);
    assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void case115_runAsyncWithTheDefaultPresetIsValidAndSequential() throws Exception {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger most = new AtomicInteger();
    assertThat(real().<List<Integer>>runAsync(oneAtATime(order, most, new AtomicInteger())).get().value()).isSorted();
    assertThat(most).hasValue(1);
    assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void case115_theOtherPairs() throws Exception {
    assertThat(real().run(() -> await(() -> 1)).value()).isEqualTo(1);
    assertThat(async().runAsync(() -> await(() -> 2)).get().value()).isEqualTo(2);
    AtomicBoolean ran = new AtomicBoolean();
    assertThatThrownBy(() -> async().run(() -> { ran.set(true); return null; }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("runAsync");
    assertThat(ran).isFalse();
  }

  @Test
  void case115_aPartOfAProgramIsHandledByTheOverlappingPresetUnderRunAsyncOnly() throws Exception {
    AtomicBoolean ran = new AtomicBoolean();
    Program<Integer> program = () -> handle(Handlers.asyncDefaults(), () -> { ran.set(true); return await(() -> 1); });
    assertThat(real().run(program).error().orElseThrow())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("runAsync");
    assertThat(ran).isFalse();
    assertThat(real().<Integer>runAsync(program).get().value()).isEqualTo(1);
    assertThat(real().<Object>runAsync(() -> real().run(program).error()).get().value().toString()).contains("runAsync");
    runner().check(program).engine(engine).seeds(3).run();
  }

  @Test
  void case116_bothHandlersMakeAnExternalPromiseAndWaitForIt() throws Exception {
    for (Handlers preset : List.of(Handlers.defaults(), Handlers.asyncDefaults())) {
      List<String> seen = Collections.synchronizedList(new ArrayList<>());
      Handlers observed = Handlers.observing(effect -> seen.add(effect.getClass().getSimpleName())).with(preset);
      assertThat(real().handlers(observed).<Integer>runAsync(() -> await(() -> 1)).get().value()).isEqualTo(1);
      assertThat(seen).containsExactly("Await", "CreateExternalPromise", "Wait");
    }
  }

  @Test
  void workThatIsInterruptedHasCleanedUpBeforeItsTaskEnds() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    AtomicBoolean cleanedUp = new AtomicBoolean();
    RunResult<Object> result =
        Runner.create()
            .engine(engine)
            .run(
                () -> {
                  Task<Object> task =
                      Effects.spawn(
                          () ->
                              Effects.await(
                                  () -> {
                                    begun.countDown();
                                    try {
                                      new CountDownLatch(1).await();
                                    } finally {
                                      // Longer than the task would need to end, if it did not wait for this.
                                      cleanedUp.set(!ended.await(300, TimeUnit.MILLISECONDS));
                                    }
                                    return null;
                                  }));
                  while (begun.getCount() > 0) {
                    Effects.sleep(Duration.ofMillis(1));
                  }
                  Effects.cancel(task);
                  Effects.attempt(() -> Effects.join(task));
                  ended.countDown();
                  return cleanedUp.get();
                });
    assertThat(result.value()).isEqualTo(true);
  }
}

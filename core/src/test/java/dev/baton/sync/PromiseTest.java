// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.channel.Select;
import dev.baton.internal.outcome.Outcome;
import dev.baton.world.Actor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PromiseTest extends InEveryWorld {
  private final Promise<String> promise = new Promise<>();
  private final Waitable<String> future = promise.future();

  @Test
  void allWhoWaitAndAllWhoComeLaterGetTheValue() throws Exception {
    List<Actor<String>> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiters.add(world().call("waiter " + i, future::await));
    }
    Actor<String> timed = world().call("timed", () -> future.await(LONG));
    Actor<String> stubborn = world().call("stubborn", future::awaitUninterruptibly);
    CompletableFuture<String> mirror = future.toCompletableFuture();
    assertThat(promise.isDone()).isFalse();
    assertThat(future.outcome()).isEmpty();
    assertThat(promise.toString()).contains("pending");
    assertThat(promise.complete("value")).isTrue();
    waiters.forEach(waiter -> assertThat(waiter.result()).isEqualTo("value"));
    assertThat(timed.result()).isEqualTo("value");
    assertThat(stubborn.result()).isEqualTo("value");
    assertThat(mirror.join()).isEqualTo("value");
    assertThat(promise.isDone() && future.isDone()).isTrue();
    assertThat(future.outcome()).contains(new Result.Ok<>("value"));
    assertThat(future.await()).isEqualTo("value");
    assertThat(future.await(Duration.ZERO)).isEqualTo("value");
    assertThat(future.toCompletableFuture().join()).isEqualTo("value");
    assertThat(promise.future()).isSameAs(future);
    assertThat(promise.toString()).contains("completed");
  }

  @Test
  void anErrorIsThrownAsItIs() {
    for (Throwable error :
        List.of(new IOException("checked"), new IllegalStateException("unchecked"), new AssertionError("error"))) {
      Promise<String> failing = new Promise<>();
      Actor<String> waiter = world().call("waiter", failing.future()::await);
      CompletableFuture<String> mirror = failing.future().toCompletableFuture();
      assertThat(failing.fail(error)).isTrue();
      assertThat(waiter.failure()).isSameAs(error);
      assertThat(mirror.exceptionNow()).isSameAs(error);
      assertThatThrownBy(failing.future()::await).isSameAs(error);
      assertThatThrownBy(failing.future()::awaitUninterruptibly).isSameAs(error);
      assertThatThrownBy(() -> failing.future().await(Duration.ZERO)).isSameAs(error);
      assertThat(failing.future().toCompletableFuture().exceptionNow()).isSameAs(error);
      assertThat(failing.future().outcome()).contains(new Result.Err<>(error));
      assertThat(failing.toString()).contains("failed: " + error.getClass().getName());
    }
  }

  @Test
  void nullIsAValue() throws Exception {
    Promise<@Nullable String> nothing = new Promise<>();
    Actor<@Nullable String> waiter = world().call("waiter", nothing.future()::await);
    CompletableFuture<@Nullable String> mirror = nothing.future().toCompletableFuture();
    assertThat(nothing.complete(null)).isTrue();
    assertThat(waiter.result()).isNull();
    assertThat(nothing.isDone()).isTrue();
    assertThat(mirror.isDone()).isTrue();
    assertThat(mirror.join()).isNull();
    assertThat(nothing.future().await()).isNull();
  }

  @Test
  void aResultIsAValueLikeAnyOther() throws Exception {
    for (Result<String> value : List.of(new Result.Ok<>("inner"), new Result.Err<String>(new IOException("inner")))) {
      Promise<Result<String>> nested = new Promise<>();
      Actor<Result<String>> waiter = world().call("waiter", nested.future()::await);
      CompletableFuture<Result<String>> mirror = nested.future().toCompletableFuture();
      assertThat(nested.complete(value)).isTrue();
      assertThat(nested.complete(value)).isFalse();
      assertThat(waiter.result()).isSameAs(value);
      assertThat(mirror.join()).isSameAs(value);
      assertThat(nested.future().await()).isSameAs(value);
      assertThat(nested.future().outcome()).contains(new Result.Ok<>(value));
      assertThat(nested.toString()).contains("completed");
      Result<Result<String>> selected = Select.of(Select.done(nested.future(), result -> result)).run();
      assertThat(selected).isEqualTo(new Result.Ok<>(value));
    }
  }

  @Test
  void whatCannotStandForItselfIsKeptInTheResultThatItCameIn() {
    // Whoever ends something may have no room for another object, and those who wait must not wait for ever.
    for (Result<?> result :
        List.of(new Result.Ok<>(null), new Result.Ok<>(new Result.Ok<>("inner")), new Result.Err<>(new IOException("failed")))) {
      Outcome<@Nullable Object> outcome = new Outcome<>();
      @SuppressWarnings("unchecked")
      Result<@Nullable Object> given = (Result<@Nullable Object>) result;
      assertThat(outcome.settle(given)).isTrue();
      assertThat(outcome.resultOrNull()).isSameAs(given);
    }
  }

  @Test
  void aSecondCompletionChangesNothing() throws Exception {
    assertThat(promise.complete("first")).isTrue();
    assertThat(promise.complete("second")).isFalse();
    assertThat(promise.fail(new IllegalStateException("third"))).isFalse();
    assertThat(future.await()).isEqualTo("first");
    Promise<String> failed = new Promise<>();
    assertThat(failed.fail(new IllegalStateException("first"))).isTrue();
    assertThat(failed.complete("second")).isFalse();
    assertThatThrownBy(failed.future()::await).hasMessage("first");
  }

  @Test
  void ofManyWhoCompleteOneIsFirst() throws Exception {
    Promise<Integer> contested = new Promise<>();
    List<Integer> winners = new java.util.concurrent.CopyOnWriteArrayList<>();
    java.util.concurrent.atomic.AtomicInteger number = new java.util.concurrent.atomic.AtomicInteger();
    together(
        20,
        () -> {
          int mine = number.incrementAndGet();
          if (contested.complete(mine)) {
            winners.add(mine);
          }
        });
    assertThat(winners).hasSize(1);
    assertThat(contested.future().await()).isEqualTo(winners.getFirst());
  }

  @Test
  void futuresEndInTheOrderInWhichTheyCame() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int place = i;
      future.toCompletableFuture().thenRun(() -> order.add(place));
    }
    promise.complete("value");
    assertThat(order).hasSize(100).isSorted();
  }

  @Test
  void aWaitThatEndsEarlyConcernsNobodyElse() throws Exception {
    Actor<String> interrupted = world().call("interrupted", future::await);
    Actor<String> timed = world().call("timed", () -> future.await(SHORT));
    CompletableFuture<String> cancelled = future.toCompletableFuture();
    CompletableFuture<String> completed = future.toCompletableFuture();
    Actor<String> patient = world().call("patient", future::await);
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(TimeoutException.class).hasMessageContaining("has not ended");
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(completed.complete("mine")).isTrue();
    assertThat(promise.isDone()).isFalse();
    assertThat(((Outcome<String>) future).waiting()).isEqualTo(1);
    promise.complete("value");
    assertThat(patient.result()).isEqualTo("value");
    assertThat(cancelled.isCancelled()).isTrue();
    assertThat(completed.join()).isEqualTo("mine");
  }

  @Test
  void anInterruptedCallerGetsNothing() {
    promise.complete("value");
    for (VoidBody<Exception> call : List.<VoidBody<Exception>>of(future::await, () -> future.await(LONG))) {
      Actor<Void> caller =
          world()
              .start(
                  "interrupted",
                  () -> {
                    Thread.currentThread().interrupt();
                    call.run();
                  });
      assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void anUninterruptibleWaitGoesOnAndKeepsTheInterrupt() {
    Actor<String> waiter = world().call("waiter", future::awaitUninterruptibly);
    waiter.interrupt();
    world().settle();
    assertThat(waiter.isDone()).isFalse();
    promise.complete("value");
    assertThat(waiter.result()).isEqualTo("value");
    assertThat(waiter.endedInterrupted()).isTrue();
  }

  @Test
  void whoMayNotWaitLooksOnce() {
    assertThatThrownBy(() -> future.await(Duration.ZERO)).isInstanceOf(TimeoutException.class);
    assertThatThrownBy(() -> future.await(Duration.ofSeconds(-1))).isInstanceOf(TimeoutException.class);
  }

  @Test
  void tenThousandChainedCallbacksDoNotOverflowTheStack() throws Exception {
    int links = 10_000;
    CountDownLatch last = new CountDownLatch(1);
    List<Promise<Integer>> chain = new ArrayList<>();
    for (int i = 0; i < links; i++) {
      chain.add(new Promise<>());
    }
    for (int i = 0; i < links - 1; i++) {
      Promise<Integer> next = chain.get(i + 1);
      chain.get(i).future().toCompletableFuture().thenAccept(n -> next.complete(n + 1));
    }
    chain.getLast().future().toCompletableFuture().thenRun(last::countDown);
    chain.getFirst().complete(1);
    assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(chain.getLast().future().await()).isEqualTo(links);
  }

  @Test
  void aThrowingCallbackSkipsNobody() {
    CompletableFuture<Void> broken =
        future
            .toCompletableFuture()
            .thenRun(
                () -> {
                  throw new IllegalStateException("callback");
                });
    CompletableFuture<String> next = future.toCompletableFuture();
    assertThat(promise.complete("value")).isTrue();
    assertThat(next.join()).isEqualTo("value");
    assertThatThrownBy(broken::join).hasRootCauseMessage("callback");
  }

  @Test
  void toStringShowsNoValueOfTheUser() {
    Promise<Object> touchy = new Promise<>();
    touchy.complete(
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("not now");
          }
        });
    assertThat(touchy.toString()).contains("completed");
    assertThat(touchy.future().toString()).contains("completed");
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void badInputIsRefusedAndChangesNothing() {
    assertThatThrownBy(() -> promise.fail(null)).isInstanceOf(NullPointerException.class).hasMessageContaining("error");
    assertThatThrownBy(() -> new Result.Err<String>(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> future.await(null)).isInstanceOf(NullPointerException.class);
    assertThat(promise.isDone()).isFalse();
  }

  @Test
  void aResultIsAValueOrAnError() throws Exception {
    assertThat(new Result.Ok<>("value").orThrow()).isEqualTo("value");
    assertThat(new Result.Ok<>("value").isOk()).isTrue();
    Result<String> failed = new Result.Err<>(new IOException("as it is"));
    assertThat(failed.isOk()).isFalse();
    assertThatThrownBy(failed::orThrow).isInstanceOf(IOException.class);
  }
}

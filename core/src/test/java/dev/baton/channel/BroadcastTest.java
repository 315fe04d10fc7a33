// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What both kinds promise, and what a subscriber that lags is told. */
class BroadcastTest extends InEveryWorld {
  private static <T> List<Broadcast<T>> bothKinds(int capacity) {
    return List.of(Broadcast.lagging(capacity), Broadcast.buffered(capacity));
  }

  // ---- everybody gets everything ----

  @Test
  void case103_everyReceiverGetsEachValueAndTheSenderTheirNumber() throws Exception {
    for (Broadcast<Integer> broadcast : BroadcastTest.<Integer>bothKinds(4)) {
      List<Subscription<Integer>> subscriptions = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        subscriptions.add(broadcast.subscribe());
        assertThat(broadcast.subscribers()).isEqualTo(i);
      }
      for (int value = 1; value <= 4; value++) {
        assertThat(broadcast.send(value)).isEqualTo(3);
      }
      assertThat(broadcast.size()).isEqualTo(4);
      for (Subscription<Integer> subscription : subscriptions) {
        assertThat(subscription.size()).isEqualTo(4);
        for (int value = 1; value <= 4; value++) {
          assertThat(subscription.receive()).isEqualTo(value);
        }
        assertThat(subscription.tryReceive()).isEqualTo(new Heard.Empty<>());
        assertThat(subscription.size()).isZero();
      }
      assertThat(broadcast.size()).isZero();
    }
  }

  @Test
  void case103_whoWaitsIsHandedTheValue() {
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(1)) {
      List<Actor<String>> receivers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        receivers.add(world().call("receiver " + i, broadcast.subscribe()::receive));
      }
      Subscription<String> idle = broadcast.subscribe();
      assertThat(broadcast.waitingReceivers()).isEqualTo(3);
      assertThat(broadcast.trySend("hello")).isEqualTo(new Published.Ok<>(4));
      receivers.forEach(receiver -> assertThat(receiver.result()).isEqualTo("hello"));
      assertThat(idle.tryReceive().value()).contains("hello");
      assertThat(broadcast.waitingReceivers()).isZero();
      assertThat(broadcast.size()).isZero();
    }
  }

  @Test
  void case103_withoutAReceiverTheErrorHasTheValue() throws Exception {
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(1)) {
      for (int round = 0; round < 2; round++) {
        assertThatThrownBy(() -> broadcast.send("lonely"))
            .isInstanceOfSatisfying(NoSubscriberException.class, e -> assertThat(e.value()).isEqualTo("lonely"))
            .hasMessageContaining("Subscribe first");
        assertThatThrownBy(() -> broadcast.sendUninterruptibly("lonely")).isInstanceOf(NoSubscriberException.class);
        assertThat(broadcast.trySend("lonely")).isEqualTo(new Published.NoSubscriber<>("lonely"));
        assertThat(broadcast.trySend("lonely", LONG)).isEqualTo(new Published.NoSubscriber<>("lonely"));
        assertThat(broadcast.sendAsync("lonely").exceptionNow()).isInstanceOf(NoSubscriberException.class);
        assertThat(broadcast.sendAsync("lonely", Duration.ZERO).exceptionNow()).isInstanceOf(NoSubscriberException.class);
        assertThat(broadcast.size()).isZero();
        // The same once the last one has left.
        broadcast.subscribe().close();
      }
    }
  }

  @Test
  void case105_aNewSubscriberStartsAtTheTail() throws Exception {
    for (Broadcast<Integer> broadcast : BroadcastTest.<Integer>bothKinds(4)) {
      Subscription<Integer> early = broadcast.subscribe();
      assertThat(broadcast.send(1)).isEqualTo(1);
      assertThat(broadcast.send(2)).isEqualTo(1);
      Subscription<Integer> late = broadcast.subscribe();
      assertThat(late.tryReceive()).isEqualTo(new Heard.Empty<>());
      assertThat(broadcast.send(3)).isEqualTo(2);
      assertThat(late.receive()).isEqualTo(3);
      assertThat(List.of(early.receive(), early.receive(), early.receive())).containsExactly(1, 2, 3);
    }
  }

  @Test
  void eachSubscriberReceivesInTheOrderOfSendingHoweverTheyTakeTurns() {
    for (Broadcast<Integer> broadcast : BroadcastTest.<Integer>bothKinds(64)) {
      List<Subscription<Integer>> subscriptions = List.of(broadcast.subscribe(), broadcast.subscribe());
      List<List<Integer>> received = List.of(new ArrayList<>(), new ArrayList<>());
      Event[] done = {new Event(), new Event()};
      AtomicInteger tasks = new AtomicInteger();
      together(
          4,
          () -> {
            int task = tasks.getAndIncrement();
            if (task >= 2) {
              subscriptions.get(task - 2).forEach(received.get(task - 2)::add);
              return;
            }
            for (int i = 0; i < 10; i++) {
              broadcast.send(100 * task + i);
            }
            done[task].set();
            done[1 - task].await();
            broadcast.close();
          });
      assertThat(received.getFirst()).hasSize(20).isEqualTo(received.getLast());
      assertThat(received.getFirst().stream().filter(i -> i < 100)).isSorted();
      assertThat(received.getFirst().stream().filter(i -> i >= 100)).isSorted();
    }
  }

  // ---- lag ----

  @Test
  void case104_theOldestAreMissedAndTheReceiverIsToldHowMany() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.lagging(2);
    Subscription<Integer> slow = broadcast.subscribe();
    for (int value = 1; value <= 3; value++) {
      assertThat(broadcast.send(value)).isEqualTo(1);
    }
    assertThat(slow.size()).isEqualTo(2);
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Lagged<>(1));
    assertThat(slow.receive()).isEqualTo(2);
    assertThat(slow.receive()).isEqualTo(3);
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Empty<>());
  }

  @Test
  void case104_everyWayToReceiveTellsOfTheLagOnce() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.lagging(2);
    Subscription<Integer> slow = broadcast.subscribe();
    lag(broadcast);
    assertThatThrownBy(slow::receive)
        .isInstanceOfSatisfying(LaggedException.class, e -> assertThat(e.missed()).isEqualTo(3))
        .hasMessageContainingAll("3 values", "more than 2 behind", "buffered");
    assertThat(slow.receive()).isEqualTo(4);
    assertThat(slow.receiveUninterruptibly()).isEqualTo(5);
    lag(broadcast);
    assertThatThrownBy(slow::receiveUninterruptibly).isInstanceOf(LaggedException.class);
    lag(broadcast);
    // Overtaken again, by five: the three of before were told.
    assertThat(slow.tryReceive(LONG)).isEqualTo(new Heard.Lagged<>(5));
    lag(broadcast);
    assertThat(slow.receiveAsync().exceptionNow())
        .isInstanceOfSatisfying(LaggedException.class, e -> assertThat(e.missed()).isEqualTo(5));
    assertThat(slow.receiveAsync().resultNow()).isEqualTo(4);
    lag(broadcast);
    assertThat(slow.receiveAsync(Duration.ZERO).exceptionNow()).isInstanceOf(LaggedException.class);
    lag(broadcast);
    Iterator<Integer> values = slow.iterator();
    assertThatThrownBy(values::hasNext).isInstanceOf(LaggedException.class);
    assertThat(values.next()).isEqualTo(4);
    assertThat(values.next()).isEqualTo(5);
  }

  private static void lag(Broadcast<Integer> broadcast) throws InterruptedException {
    for (int value = 1; value <= 5; value++) {
      broadcast.send(value);
    }
  }

  @Test
  void case104_lagIsPerReceiver() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.lagging(2);
    Subscription<Integer> slow = broadcast.subscribe();
    Subscription<Integer> fast = broadcast.subscribe();
    for (int value = 1; value <= 5; value++) {
      broadcast.send(value);
      assertThat(fast.receive()).isEqualTo(value);
    }
    Subscription<Integer> late = broadcast.subscribe();
    assertThat(fast.tryReceive()).isEqualTo(new Heard.Empty<>());
    assertThat(late.tryReceive()).isEqualTo(new Heard.Empty<>());
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Lagged<>(3));
    broadcast.send(6);
    assertThat(fast.receive()).isEqualTo(6);
    assertThat(late.receive()).isEqualTo(6);
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Lagged<>(1));
    assertThat(slow.receive()).isEqualTo(5);
    assertThat(slow.receive()).isEqualTo(6);
  }

  @Test
  void case104_closeDoesNotOverwrite() throws Exception {
    for (boolean fails : new boolean[] {false, true}) {
      Broadcast<Integer> broadcast = Broadcast.lagging(2);
      Subscription<Integer> slow = broadcast.subscribe();
      for (int value = 1; value <= 3; value++) {
        broadcast.send(value);
      }
      if (fails) {
        broadcast.fail(new IllegalStateException("broken"));
      } else {
        broadcast.close();
      }
      assertThat(slow.tryReceive()).isEqualTo(new Heard.Lagged<>(1));
      assertThat(slow.receive()).isEqualTo(2);
      assertThat(slow.receive()).isEqualTo(3);
      assertThat(slow.tryReceive().isEnd()).isTrue();
      assertThat(broadcast.size()).isZero();
    }
  }

  @Test
  void aSubscriberThatIsFarBehindKeepsNothingAndMayLeave() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.lagging(3);
    Subscription<Integer> slow = broadcast.subscribe();
    Subscription<Integer> fast = broadcast.subscribe();
    for (int value = 0; value < 100; value++) {
      broadcast.send(value);
      if (value < 99) {
        fast.receive();
      }
    }
    assertThat(broadcast.size()).isEqualTo(3);
    slow.close();
    assertThat(broadcast.size()).isEqualTo(1);
    assertThat(fast.receive()).isEqualTo(99);
    assertThat(broadcast.size()).isZero();
  }

  // ---- several tasks at one subscription ----

  @Test
  void eachValueGoesToOneOfTheTasksOfASubscriptionInTheOrderInWhichTheyCame() {
    for (Broadcast<Integer> broadcast : BroadcastTest.<Integer>bothKinds(8)) {
      Subscription<Integer> shared = broadcast.subscribe();
      Subscription<Integer> other = broadcast.subscribe();
      List<Actor<Integer>> receivers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        receivers.add(world().call("receiver " + i, shared::receive));
      }
      assertThat(shared.waiting()).isEqualTo(3);
      for (int value = 0; value < 4; value++) {
        broadcast.trySend(value);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(receivers.get(i).result()).isEqualTo(i);
      }
      assertThat(shared.tryReceive()).isEqualTo(new Heard.Value<>(3));
      assertThat(other.size()).isEqualTo(4);
    }
  }

  // ---- cancellation ----

  @Test
  void aReceiveThatEndsEarlyTakesNothing() {
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(2)) {
      Subscription<String> subscription = broadcast.subscribe();
      Actor<String> interrupted = world().call("interrupted", subscription::receive);
      CompletableFuture<String> cancelled = subscription.receiveAsync();
      CompletableFuture<String> completed = subscription.receiveAsync();
      Actor<String> patient = world().call("patient", subscription::receive);
      assertThat(subscription.waiting()).isEqualTo(4);
      Actor<Heard<String>> timed = world().call("timed", () -> subscription.tryReceive(SHORT));
      interrupted.interrupt();
      assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
      world().pass(SHORT);
      assertThat(timed.result()).isEqualTo(new Heard.Empty<>());
      assertThat(cancelled.cancel(false)).isTrue();
      assertThat(completed.complete("mine")).isTrue();
      assertThat(subscription.waiting()).isEqualTo(1);
      assertThat(broadcast.waitingReceivers()).isEqualTo(1);
      broadcast.trySend("news");
      assertThat(patient.result()).isEqualTo("news");
      assertThat(broadcast.waitingReceivers()).isZero();
      // The last to wait may leave early, too; the next value is stored.
      subscription.receiveAsync().cancel(false);
      broadcast.trySend("more");
      assertThat(subscription.tryReceive()).isEqualTo(new Heard.Value<>("more"));
    }
  }

  @Test
  void deliveryWinsOverAnInterruptThatComesLater() {
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(2)) {
      Subscription<String> subscription = broadcast.subscribe();
      Actor<String> receiver = world().call("receiver", subscription::receive);
      broadcast.trySend("news");
      receiver.interrupt();
      assertThat(receiver.result()).isEqualTo("news");
      if (kind == Worlds.STEPPED) {
        // On threads it may have ended before.
        assertThat(receiver.endedInterrupted()).isTrue();
      }
    }
  }

  @Test
  void anInterruptThatMeetsAValueLosesNothing() {
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(2)) {
      Subscription<String> subscription = broadcast.subscribe();
      List<String> received = new ArrayList<>();
      Actor<Void> receiver = world().start("receiver", () -> received.add(subscription.receive()));
      receiver.interrupt();
      broadcast.trySend("news");
      Eventually.holds(world(), receiver::isDone);
      subscription.tryReceive().value().ifPresent(received::add);
      assertThat(received).containsExactly("news");
    }
  }

  @Test
  void aFutureThatWasGivenAValueCannotBeCancelled() {
    Broadcast<String> broadcast = Broadcast.lagging(2);
    CompletableFuture<String> future = broadcast.subscribe().receiveAsync();
    broadcast.trySend("news");
    assertThat(future.cancel(false)).isFalse();
    assertThat(future.resultNow()).isEqualTo("news");
  }

  @Test
  void anUninterruptibleReceiveGoesOnAndKeepsTheInterrupt() {
    Broadcast<String> broadcast = Broadcast.buffered(1);
    Subscription<String> subscription = broadcast.subscribe();
    Actor<String> receiver = world().call("receiver", subscription::receiveUninterruptibly);
    receiver.interrupt();
    world().settle();
    assertThat(subscription.waiting()).isEqualTo(1);
    broadcast.trySend("news");
    assertThat(receiver.result()).isEqualTo("news");
    assertThat(receiver.endedInterrupted()).isTrue();
  }

  @Test
  void anInterruptedCallerTakesAndSendsNothing() throws Exception {
    Broadcast<String> broadcast = Broadcast.lagging(2);
    Subscription<String> subscription = broadcast.subscribe();
    broadcast.send("first");
    List<World.Step> calls =
        List.of(
            subscription::receive,
            () -> subscription.tryReceive(LONG),
            () -> broadcast.send("second"),
            () -> broadcast.trySend("second", LONG));
    for (World.Step call : calls) {
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
    assertThat(subscription.receive()).isEqualTo("first");
    assertThat(subscription.tryReceive()).isEqualTo(new Heard.Empty<>());
  }

  @Test
  void aReceivingFutureTimesOut() throws Exception {
    Broadcast<String> broadcast = Broadcast.buffered(2);
    Subscription<String> subscription = broadcast.subscribe();
    assertThat(subscription.receiveAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    Actor<Throwable> asker =
        world()
            .call(
                "asker",
                () -> {
                  CompletableFuture<String> future = subscription.receiveAsync(SHORT);
                  Event ended = new Event();
                  future.whenComplete((value, failure) -> ended.set());
                  ended.await();
                  return future.exceptionNow();
                });
    world().pass(SHORT);
    assertThat(asker.result()).isInstanceOf(TimeoutException.class);
    assertThat(subscription.waiting()).isZero();
    broadcast.send("kept");
    assertThat(subscription.receiveAsync(Duration.ZERO).resultNow()).isEqualTo("kept");
  }

  // ---- the end ----

  @Test
  void closingEndsTheWaitsAndLetsNothingMoreIn() throws Exception {
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(2)) {
      Subscription<String> waited = broadcast.subscribe();
      Actor<String> receiver = world().call("receiver", waited::receive);
      CompletableFuture<String> future = waited.receiveAsync();
      Subscription<String> behind = broadcast.subscribe();
      broadcast.close();
      broadcast.close();
      assertThat(broadcast.isClosed()).isTrue();
      assertThat(broadcast.fail(new IllegalStateException())).isFalse();
      assertThat(receiver.failure()).isInstanceOf(ChannelClosedException.class).hasMessageContaining("all was received");
      assertThat(future.exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThat(waited.tryReceive()).isEqualTo(new Heard.Closed<>());
      assertThat(waited.tryReceive(LONG)).isEqualTo(new Heard.Closed<>());
      assertThat(waited.receiveAsync().exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThat(waited.receiveAsync(Duration.ZERO).exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThatThrownBy(waited::receiveUninterruptibly).isInstanceOf(ChannelClosedException.class);
      assertThatThrownBy(() -> broadcast.send("late")).isInstanceOf(ChannelClosedException.class).hasMessageContaining("send");
      assertThat(broadcast.trySend("late")).isEqualTo(new Published.Closed<>("late"));
      assertThat(broadcast.sendAsync("late").exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThatThrownBy(broadcast::subscribe).isInstanceOf(ChannelClosedException.class).hasMessageContaining("subscribe");
      assertThat(behind.tryReceive()).isEqualTo(new Heard.Closed<>());
      assertThat(broadcast.subscribers()).isEqualTo(2);
      assertThat(behind.iterator().hasNext()).isFalse();
      assertThatThrownBy(() -> behind.iterator().next()).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  void anErrorComesAfterWhatWasSent() throws Exception {
    Exception error = new Exception("broken");
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(2)) {
      Subscription<String> waited = broadcast.subscribe();
      Subscription<String> behind = broadcast.subscribe();
      broadcast.send("news");
      waited.receive();
      Actor<String> receiver = world().call("receiver", waited::receive);
      assertThat(broadcast.fail(error)).isTrue();
      assertThat(receiver.failure()).isInstanceOf(ChannelFailedException.class).hasCause(error);
      Iterator<String> values = behind.iterator();
      assertThat(values.next()).isEqualTo("news");
      assertThatThrownBy(values::hasNext).isInstanceOf(ChannelFailedException.class).hasCause(error);
      assertThat(behind.tryReceive()).isEqualTo(new Heard.Failed<>(error));
      assertThat(broadcast.trySend("late")).isEqualTo(new Published.Failed<>("late", error));
      assertThatThrownBy(() -> broadcast.send("late")).isInstanceOf(ChannelFailedException.class);
      assertThatThrownBy(broadcast::subscribe).isInstanceOf(ChannelFailedException.class);
    }
  }

  @Test
  void closingASubscriptionEndsItsWaitsAndNobodyElses() throws Exception {
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(2)) {
      Subscription<String> leaving = broadcast.subscribe();
      Subscription<String> staying = broadcast.subscribe();
      Actor<String> receiver = world().call("receiver", leaving::receive);
      CompletableFuture<String> future = leaving.receiveAsync();
      Actor<String> other = world().call("other", staying::receive);
      leaving.close();
      leaving.close();
      assertThat(leaving.isClosed()).isTrue();
      assertThat(receiver.failure()).isInstanceOf(ChannelClosedException.class).hasMessageContaining("subscription is closed");
      assertThat(future.exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThat(broadcast.subscribers()).isEqualTo(1);
      assertThat(broadcast.trySend("news")).isEqualTo(new Published.Ok<>(1));
      assertThat(other.result()).isEqualTo("news");
      assertThat(leaving.tryReceive()).isEqualTo(new Heard.Closed<>());
      assertThat(leaving.receiveAsync().exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThat(leaving.receiveAsync(Duration.ZERO).exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThatThrownBy(leaving::receive).isInstanceOf(ChannelClosedException.class);
      assertThat(leaving.iterator().hasNext()).isFalse();
      assertThat(leaving.size()).isZero();
    }
  }

  @Test
  void aClosedSubscriptionStaysClosedWhateverBecomesOfTheBroadcast() {
    Broadcast<String> broadcast = Broadcast.buffered(2);
    Subscription<String> subscription = broadcast.subscribe();
    broadcast.trySend("never received");
    subscription.close();
    assertThat(broadcast.size()).isZero();
    broadcast.fail(new IllegalStateException("broken"));
    assertThat(subscription.tryReceive()).isEqualTo(new Heard.Closed<>());
  }

  // ---- iterating ----

  @Test
  void anIteratorReceivesUntilTheEnd() {
    for (Broadcast<Integer> broadcast : BroadcastTest.<Integer>bothKinds(4)) {
      Subscription<Integer> subscription = broadcast.subscribe();
      List<Integer> received = new ArrayList<>();
      Actor<Void> receiver = world().start("receiver", () -> subscription.forEach(received::add));
      for (int value = 1; value <= 4; value++) {
        broadcast.trySend(value);
      }
      broadcast.close();
      receiver.result();
      assertThat(received).containsExactly(1, 2, 3, 4);
    }
  }

  @Test
  void aStreamTakesNoMoreThanItNeedsAlsoInParallel() {
    Broadcast<Integer> broadcast = Broadcast.buffered(4);
    Subscription<Integer> subscription = broadcast.subscribe();
    Actor<List<Integer>> receiver = world().call("receiver", () -> subscription.stream().parallel().limit(2).toList());
    for (int value = 1; value <= 3; value++) {
      broadcast.trySend(value);
    }
    assertThat(receiver.result()).containsExactly(1, 2);
    assertThat(subscription.tryReceive()).isEqualTo(new Heard.Value<>(3));
    broadcast.close();
    assertThat(subscription.stream()).isEmpty();
  }

  @Test
  void anInterruptEndsAnIteration() {
    Broadcast<Integer> broadcast = Broadcast.buffered(4);
    Subscription<Integer> subscription = broadcast.subscribe();
    Actor<Void> receiver = world().start("receiver", () -> subscription.forEach(value -> {}));
    receiver.interrupt();
    assertThat(receiver.failure()).isInstanceOf(CancellationException.class).hasCauseInstanceOf(InterruptedException.class);
    assertThat(receiver.endedInterrupted()).isTrue();
    assertThat(subscription.waiting()).isZero();
  }

  // ---- what is refused ----

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void badInputIsRefusedAndChangesNothing() {
    for (int capacity : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> Broadcast.lagging(capacity))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least 1 value, not " + capacity);
      assertThatThrownBy(() -> Broadcast.buffered(capacity)).isInstanceOf(IllegalArgumentException.class);
    }
    for (Broadcast<String> broadcast : BroadcastTest.<String>bothKinds(Integer.MAX_VALUE)) {
      Subscription<String> subscription = broadcast.subscribe();
      assertThatThrownBy(() -> broadcast.send(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> broadcast.sendUninterruptibly(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> broadcast.trySend(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> broadcast.trySend(null, LONG)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> broadcast.trySend("x", null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> broadcast.sendAsync(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> broadcast.sendAsync("x", null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> broadcast.fail(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> subscription.tryReceive(null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> subscription.receiveAsync(null)).isInstanceOf(NullPointerException.class);
      assertThat(broadcast.size()).isZero();
      assertThat(broadcast.isClosed()).isFalse();
      assertThat(broadcast.waitingReceivers()).isZero();
      assertThat(broadcast.capacity()).isEqualTo(Integer.MAX_VALUE);
    }
  }

  @Test
  void itSaysHowItStands() {
    Broadcast<String> broadcast = Broadcast.lagging(2);
    Subscription<String> subscription = broadcast.subscribe();
    broadcast.trySend("news");
    assertThat(broadcast.toString()).contains("[lagging 2, 1 subscribed, 1 stored]");
    assertThat(subscription.toString()).contains("1 unreceived of Broadcast@");
    subscription.close();
    broadcast.close();
    assertThat(subscription.toString()).contains("[closed of ");
    assertThat(broadcast.toString()).contains("0 subscribed, 0 stored, closed");
    Broadcast<String> failed = Broadcast.buffered(3);
    failed.fail(new IllegalStateException());
    assertThat(failed.toString()).contains("[buffered 3, ").contains(", failed]");
  }
}

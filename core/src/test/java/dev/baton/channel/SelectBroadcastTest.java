// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Worlds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Subscriptions and watchers as some of several things: lags, the end, and what one who was served elsewhere leaves as it was. */
class SelectBroadcastTest extends InEveryWorld {

  @Test
  void aLagEndsOneRunAndTheNextGoesOnWithWhatIsLeft() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.lagging(2);
    Subscription<Integer> slow = broadcast.subscribe();
    Select<Integer> select = Select.of(Select.hear(slow, value -> value), Select.otherwise(() -> -1));
    for (int i = 1; i <= 3; i++) {
      broadcast.send(i);
    }
    assertThatThrownBy(select::run).isInstanceOfSatisfying(LaggedException.class, lag -> assertThat(lag.missed()).isEqualTo(1));
    assertThat(List.of(select.run(), select.run(), select.run())).containsExactly(2, 3, -1);
  }

  @Test
  void aLagThatComesBeforeTheWaitIsToldOnce() {
    Broadcast<Integer> broadcast = Broadcast.lagging(1);
    Subscription<Integer> slow = broadcast.subscribe();
    Clause<String> late = Meanwhile.before(Select.hear(slow, value -> "heard"), () -> sendAll(broadcast, 1, 2, 3));
    Actor<String> select = world().call("select", () -> Select.of(late).run());
    assertThat(select.failure()).isInstanceOfSatisfying(LaggedException.class, lag -> assertThat(lag.missed()).isEqualTo(2));
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Value<>(3));
    assertThat(broadcast.waitingReceivers()).isZero();
  }

  @Test
  void aLagIsNotToldToOneThatIsServedElsewhere() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.lagging(1);
    Subscription<Integer> slow = broadcast.subscribe();
    Event first = new Event();
    Clause<String> late =
        Meanwhile.before(
            Select.hear(slow, value -> "heard"),
            () -> {
              first.set();
              sendAll(broadcast, 1, 2);
            });
    Actor<String> select =
        world().call("select", () -> Select.of(Select.event(first, () -> "event"), late).biased().run());
    assertThat(select.result()).isEqualTo("event");
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Lagged<>(1));
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Value<>(2));
  }

  @Test
  void oneSelectAtTwoSubscriptionsTakesAValueAtOneOfThem() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.buffered(1);
    Subscription<Integer> left = broadcast.subscribe();
    Subscription<Integer> right = broadcast.subscribe();
    Actor<String> select =
        world()
            .call(
                "select",
                () ->
                    Select.of(
                            Select.hear(left, value -> "left"),
                            Select.hear(left, value -> "left"),
                            Select.hear(right, value -> "right"))
                        .run());
    assertThat(broadcast.waitingReceivers()).isEqualTo(3);
    assertThat(broadcast.send(1)).isEqualTo(2);
    String taken = select.result();
    assertThat(broadcast.waitingReceivers()).isZero();
    assertThat((taken.equals("left") ? left : right).tryReceive()).isEqualTo(new Heard.Empty<>());
    assertThat((taken.equals("left") ? right : left).tryReceive()).isEqualTo(new Heard.Value<>(1));
    assertThat(broadcast.size()).isZero();
  }

  @Test
  void aSelectStandsInTheLineOfItsSubscription() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.buffered(1);
    Subscription<Integer> shared = broadcast.subscribe();
    Actor<Integer> first = world().call("first", shared::receive);
    Actor<Integer> second = world().call("second", () -> Select.of(Select.hear(shared, value -> value)).run());
    Actor<Integer> third = world().call("third", shared::receive);
    sendAll(broadcast, 1, 2, 3);
    assertThat(List.of(first.result(), second.result(), third.result())).containsExactly(1, 2, 3);
  }

  @Test
  void aSelectThatReceivesMakesRoomForThoseWhoWaitToSend() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.buffered(1);
    Subscription<Integer> only = broadcast.subscribe();
    broadcast.send(1);
    Select<Integer> select = Select.of(Select.hear(only, value -> value));
    Actor<Integer> sender = world().call("send", () -> broadcast.send(2));
    assertThat(sender.isWaiting()).isTrue();
    assertThat(select.run()).isEqualTo(1);
    assertThat(sender.result()).isEqualTo(1);
    assertThat(select.run()).isEqualTo(2);
  }

  @Test
  void whatHasEndedDropsOutAndWhenAllHaveTheSelectEnds() {
    Broadcast<Integer> closed = Broadcast.buffered(1);
    Broadcast<Integer> left = Broadcast.lagging(1);
    Subscription<Integer> leaving = left.subscribe();
    Watch<Integer> watch = Watch.of(0);
    Select<Integer> select =
        Select.of(
            Select.hear(closed.subscribe(), value -> value),
            Select.hear(leaving, value -> value),
            Select.changed(watch.subscribe(), value -> value));
    Actor<Integer> waiting = world().call("select", select::run);
    closed.close();
    assertThat(waiting.isWaiting()).isTrue();
    leaving.close();
    assertThat(waiting.isWaiting()).isTrue();
    watch.close();
    assertThat(waiting.failure()).isInstanceOf(ChannelClosedException.class);
    assertThat(closed.waitingReceivers() + left.waitingReceivers() + watch.waiting()).isZero();
    assertThatThrownBy(select::run).isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void whatEndsBeforeTheWaitDropsOut() {
    Broadcast<Integer> closed = Broadcast.buffered(1);
    Subscription<Integer> leaving = Broadcast.<Integer>buffered(1).subscribe();
    Watch<Integer> watch = Watch.of(0);
    for (Clause<String> clause :
        List.of(
            Meanwhile.before(Select.hear(closed.subscribe(), value -> "heard"), closed::close),
            Meanwhile.before(Select.hear(leaving, value -> "heard"), leaving::close),
            Meanwhile.before(Select.changed(watch.subscribe(), value -> "seen"), watch::close))) {
      assertThat(world().call("select", () -> Select.of(clause).run()).failure()).isInstanceOf(ChannelClosedException.class);
    }
  }

  @Test
  void whatWasSentOrSetBeforeTheEndIsStillTaken() throws Exception {
    Broadcast<Integer> broadcast = Broadcast.buffered(2);
    Watch<Integer> watch = Watch.of(0);
    Select<Integer> select =
        Select.of(
                Select.hear(broadcast.subscribe(), value -> value),
                Select.changed(watch.subscribe(), value -> value))
            .biased();
    broadcast.send(1);
    watch.set(2);
    watch.close();
    IllegalStateException broken = new IllegalStateException("broken");
    broadcast.fail(broken);
    assertThat(select.run()).isEqualTo(1);
    assertThatThrownBy(select::run).isInstanceOf(ChannelFailedException.class).hasCause(broken);
  }

  @Test
  void aBroadcastThatFailsEndsASelectThatWaits() {
    Broadcast<Integer> broadcast = Broadcast.lagging(1);
    Event never = new Event();
    Select<Integer> select = Select.of(Select.hear(broadcast.subscribe(), value -> value), Select.event(never, () -> -1));
    Actor<Integer> waiting = world().call("select", select::run);
    IllegalStateException broken = new IllegalStateException("broken");
    broadcast.fail(broken);
    assertThat(waiting.failure()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThat(never.waiting()).isZero();
  }

  @Test
  void aWatcherThatIsNotTheOneHasSeenNothing() throws Exception {
    Watch<Integer> watch = Watch.of(0);
    Watcher<Integer> left = watch.subscribe();
    Watcher<Integer> right = watch.subscribe();
    Actor<String> select =
        world()
            .call(
                "select",
                () -> Select.of(Select.changed(left, value -> "left"), Select.changed(right, value -> "right")).run());
    watch.set(1);
    String taken = select.result();
    assertThat(watch.waiting()).isZero();
    assertThat((taken.equals("left") ? left : right).tryChanged()).isEqualTo(new Received.Empty<>());
    assertThat((taken.equals("left") ? right : left).tryChanged()).isEqualTo(new Received.Value<>(1));
  }

  @Test
  void selectsOverTwoBroadcastsLoseAndReorderNothing() {
    int values = kind == Worlds.STEPPED ? 40 : 2_000;
    world().takeTurns();
    Broadcast<Integer> evens = Broadcast.buffered(2);
    Broadcast<Integer> odds = Broadcast.buffered(1);
    List<Actor<List<Integer>>> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Subscription<Integer> even = evens.subscribe();
      Subscription<Integer> odd = odds.subscribe();
      readers.add(world().launch("read", () -> readAll(Select.of(Select.hear(even, v -> v), Select.hear(odd, v -> v)))));
    }
    world().launch("evens", () -> sendEach(evens, IntStream.range(0, values).filter(v -> v % 2 == 0)));
    world().launch("odds", () -> sendEach(odds, IntStream.range(0, values).filter(v -> v % 2 == 1)));
    for (Actor<List<Integer>> reader : readers) {
      List<Integer> read = reader.result();
      assertThat(read).hasSize(values);
      assertThat(read).filteredOn(v -> v % 2 == 0).isSorted().doesNotHaveDuplicates();
      assertThat(read).filteredOn(v -> v % 2 == 1).isSorted().doesNotHaveDuplicates();
    }
    assertThat(evens.size() + odds.size() + evens.waitingReceivers() + odds.waitingReceivers()).isZero();
  }

  private static List<Integer> readAll(Select<Integer> select) throws InterruptedException {
    List<Integer> read = new ArrayList<>();
    try {
      while (true) {
        read.add(select.run());
      }
    } catch (ChannelClosedException end) {
      return read;
    }
  }

  private static boolean sendEach(Broadcast<Integer> broadcast, IntStream values) throws InterruptedException {
    for (int value : values.toArray()) {
      broadcast.send(value);
    }
    broadcast.close();
    return true;
  }

  @Test
  @SuppressWarnings("NullAway") // that is the test
  void nonsenseIsRefused() {
    Subscription<Integer> subscription = Broadcast.<Integer>buffered(1).subscribe();
    Watcher<Integer> watcher = Watch.of(1).subscribe();
    assertThatNullPointerException().isThrownBy(() -> Select.hear(null, v -> v)).withMessage("subscription");
    assertThatNullPointerException().isThrownBy(() -> Select.hear(subscription, null)).withMessage("action");
    assertThatNullPointerException().isThrownBy(() -> Select.changed(null, v -> v)).withMessage("watcher");
    assertThatNullPointerException().isThrownBy(() -> Select.changed(watcher, null)).withMessage("action");
  }

  private static void sendAll(Broadcast<Integer> broadcast, int... values) {
    for (int value : values) {
      assertThat(broadcast.trySend(value).isOk()).isTrue();
    }
  }
}

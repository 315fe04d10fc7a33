// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Hurry;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every kind of channel does with what is sent, and in which order. */
class ChannelTest extends InEveryWorld {

  // ---- the kinds ----

  @Test
  void aRendezvousWaitsUntilSomebodyReceives() throws Exception {
    Channel<String> channel = Channel.rendezvous();
    Actor<Void> sender = world().start("send", () -> channel.send("a"));
    assertThat(sender.isWaiting()).isTrue();
    assertThat(channel.waitingSenders()).isEqualTo(1);
    assertThat(channel.size()).isZero();
    assertThat(channel.receive()).isEqualTo("a");
    sender.result();
    assertThat(channel.waitingSenders()).isZero();
  }

  @Test
  void aRendezvousHandsOverToWhoeverWaits() {
    Channel<String> channel = Channel.rendezvous();
    assertThat(channel.trySend("nobody")).isEqualTo(new Sent.Full<>("nobody"));
    assertThat(channel.tryReceive()).isEqualTo(new Received.Empty<>());
    Actor<String> receiver = world().call("receive", channel::receive);
    assertThat(channel.waitingReceivers()).isEqualTo(1);
    assertThat(channel.trySend("a").isOk()).isTrue();
    assertThat(receiver.result()).isEqualTo("a");
    assertThat(channel.trySend("b")).isEqualTo(new Sent.Full<>("b"));
    Actor<Void> sender = world().start("send", () -> channel.send("c"));
    assertThat(channel.tryReceive()).isEqualTo(new Received.Value<>("c"));
    sender.result();
  }

  @Test
  void case96_aFullBufferRefusesAndAWaitingSendDeliversItsOwnValue() throws Exception {
    Channel<Integer> channel = Channel.buffered(2);
    channel.send(1);
    assertThat(channel.trySend(2)).isEqualTo(new Sent.Ok<>());
    assertThat(channel.trySend(3)).isEqualTo(new Sent.Full<>(3));
    Actor<Void> sender = world().start("send", () -> channel.send(4));
    assertThat(sender.isWaiting()).isTrue();
    assertThat(channel.size()).isEqualTo(2);
    assertThat(channel.receive()).isEqualTo(1);
    sender.result();
    assertThat(channel.size()).isEqualTo(2);
    assertThat(channel.receive()).isEqualTo(2);
    assertThat(channel.receive()).isEqualTo(4);
    assertThat(channel.size()).isZero();
  }

  @Test
  void anUnlimitedChannelNeverLetsASenderWait() throws Exception {
    Channel<Integer> channel = Channel.unlimited();
    for (int i = 0; i < 10_000; i++) {
      assertThat(channel.trySend(i).isOk()).isTrue();
    }
    assertThat(channel.size()).isEqualTo(10_000);
    assertThat(channel.receiveMany(Integer.MAX_VALUE)).isEqualTo(IntStream.range(0, 10_000).boxed().toList());
  }

  @Test
  void aConflatedChannelKeepsTheLatestAndTellsOfTheOthers() throws Exception {
    List<Integer> replaced = new ArrayList<>();
    Channel<Integer> channel = Channel.conflated(replaced::add);
    for (int i = 1; i <= 3; i++) {
      channel.send(i);
    }
    assertThat(channel.size()).isEqualTo(1);
    assertThat(replaced).containsExactly(1, 2);
    assertThat(channel.receive()).isEqualTo(3);
    assertThat(channel.tryReceive()).isEqualTo(new Received.Empty<>());
    Actor<Integer> receiver = world().call("receive", channel::receive);
    channel.send(4);
    channel.send(5);
    assertThat(receiver.result()).isEqualTo(4);
    assertThat(channel.receive()).isEqualTo(5);
    assertThat(replaced).containsExactly(1, 2);
  }

  @Test
  void aBufferOfAnySizeIsAQueue() {
    for (int capacity : new int[] {1, 2, 3, 5, 7, 8, 9, 12, 16, 100, Integer.MAX_VALUE}) {
      Channel<Integer> channel = Channel.buffered(capacity);
      Queue<Integer> model = new ArrayDeque<>();
      Random random = new Random(capacity);
      for (int i = 0; i < 2_000; i++) {
        // Long runs of the one and of the other, so that the ring grows and wraps around.
        if (random.nextInt(100) < (i / 100 % 2 == 0 ? 70 : 30)) {
          boolean room = model.size() < capacity;
          assertThat(channel.trySend(i).isOk()).isEqualTo(room);
          if (room) {
            model.add(i);
          }
        } else {
          assertThat(channel.tryReceive().value().orElse(null)).isEqualTo(model.poll());
        }
        assertThat(channel.size()).isEqualTo(model.size());
      }
    }
  }

  // ---- order ----

  @Test
  void thoseWhoWaitToReceiveAreServedInTheOrderInWhichTheyCame() {
    for (Channel<Integer> channel :
        List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(2), Channel.<Integer>unlimited())) {
      List<Actor<Integer>> receivers =
          IntStream.range(0, 5).mapToObj(i -> world().call("receive " + i, channel::receive)).toList();
      assertThat(channel.waitingReceivers()).isEqualTo(5);
      for (int i = 0; i < 5; i++) {
        assertThat(channel.trySend(i).isOk()).isTrue();
      }
      for (int i = 0; i < 5; i++) {
        assertThat(receivers.get(i).result()).isEqualTo(i);
      }
      assertThat(channel.waitingReceivers()).isZero();
    }
  }

  @Test
  void thoseWhoWaitToSendAreServedInTheOrderInWhichTheyCame() throws Exception {
    for (Channel<Integer> channel : List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(2))) {
      List<Actor<Void>> senders =
          IntStream.range(0, 6)
              .mapToObj(
                  i -> world().start("send " + i, i % 2 == 0 ? () -> channel.send(i) : () -> channel.sendUninterruptibly(i)))
              .toList();
      for (int i = 0; i < 6; i++) {
        assertThat(channel.receive()).isEqualTo(i);
      }
      senders.forEach(Actor::result);
      assertThat(channel.waitingSenders()).isZero();
    }
  }

  @Test
  void case100_whatOneSendsArrivesInOrderAndExactlyOnce() {
    int each = kind == Worlds.STEPPED ? 15 : 500;
    for (Channel<Integer> channel :
        List.of(
            Channel.<Integer>rendezvous(),
            Channel.<Integer>buffered(1),
            Channel.<Integer>buffered(3),
            Channel.<Integer>unlimited())) {
      List<Integer> received = Collections.synchronizedList(new ArrayList<>());
      List<Actor<Object>> consumers = new ArrayList<>();
      List<Actor<Object>> producers = new ArrayList<>();
      world().takeTurns();
      for (int p = 0; p < 3; p++) {
        int producer = p;
        producers.add(
            world()
                .launch(
                    "producer",
                    () -> {
                      for (int i = 0; i < each; i++) {
                        channel.send(producer * 10_000 + i);
                      }
                      return null;
                    }));
      }
      List<List<Integer>> perConsumer = new ArrayList<>();
      for (int c = 0; c < 2; c++) {
        List<Integer> mine = new ArrayList<>();
        perConsumer.add(mine);
        consumers.add(
            world()
                .launch(
                    "consumer",
                    () -> {
                      for (int value : channel) {
                        mine.add(value);
                        received.add(value);
                      }
                      return null;
                    }));
      }
      producers.forEach(Actor::result);
      channel.close();
      consumers.forEach(Actor::result);
      assertThat(received).hasSize(3 * each).doesNotHaveDuplicates();
      for (List<Integer> mine : perConsumer) {
        for (int p = 0; p < 3; p++) {
          int producer = p;
          assertThat(mine.stream().filter(v -> v / 10_000 == producer).toList()).isSorted();
        }
      }
      assertThat(channel.isFinished()).isTrue();
    }
  }

  @Test
  void aNewcomerDoesNotOvertakeThoseWhoWait() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    channel.send(0);
    Actor<Void> waiting = world().start("send", () -> channel.send(1));
    assertThat(channel.tryReceive().value()).contains(0);
    // The room belongs to the one who waits, whether it has run since or not.
    assertThat(channel.trySend(2)).isEqualTo(new Sent.Full<>(2));
    assertThat(channel.receive()).isEqualTo(1);
    waiting.result();
  }

  // ---- several at once ----

  @Test
  void receivesManyAtOnceInOrder() throws Exception {
    Channel<Integer> channel = Channel.buffered(3);
    List<Actor<Void>> senders =
        IntStream.range(0, 5).mapToObj(i -> world().start("send " + i, () -> channel.send(i))).toList();
    assertThat(channel.receiveMany(4)).containsExactly(0, 1, 2, 3);
    senders.forEach(Actor::result);
    assertThat(channel.receiveMany(4)).containsExactly(4);
    Actor<List<Integer>> waiting = world().call("receive many", () -> channel.receiveMany(2));
    assertThat(waiting.isWaiting()).isTrue();
    channel.send(7);
    assertThat(waiting.result()).containsExactly(7);
    Channel<Integer> meeting = Channel.rendezvous();
    List<Actor<Void>> others =
        IntStream.range(0, 3).mapToObj(i -> world().start("send " + i, () -> meeting.send(i))).toList();
    assertThat(meeting.receiveMany(10)).containsExactly(0, 1, 2);
    others.forEach(Actor::result);
    assertThatIllegalArgumentException().isThrownBy(() -> channel.receiveMany(0)).withMessageContaining("not 0");
    assertThatIllegalArgumentException().isThrownBy(() -> channel.receiveMany(-1));
  }

  @Test
  void anIteratorReceivesUntilTheEnd() throws Exception {
    Channel<Integer> channel = Channel.buffered(4);
    Iterator<Integer> iterator = channel.iterator();
    channel.send(1);
    assertThat(iterator.hasNext()).isTrue();
    assertThat(iterator.hasNext()).isTrue();
    assertThat(channel.size()).isZero();
    assertThat(iterator.next()).isEqualTo(1);
    channel.send(2);
    assertThat(iterator.next()).isEqualTo(2);
    channel.send(3);
    channel.close();
    assertThat(iterator.hasNext()).isTrue();
    assertThat(iterator.next()).isEqualTo(3);
    assertThat(iterator.hasNext()).isFalse();
    assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    assertThat(iterator.hasNext()).isFalse();
  }

  @Test
  void aStreamTakesOnlyWhatItNeeds() throws Exception {
    Channel<Integer> channel = Channel.unlimited();
    for (int i = 0; i < 10; i++) {
      channel.send(i);
    }
    assertThat(channel.stream().limit(3).toList()).containsExactly(0, 1, 2);
    assertThat(channel.stream().filter(i -> i > 4).findFirst()).contains(5);
    assertThat(channel.size()).isEqualTo(4);
    channel.close();
    assertThat(channel.stream().mapToInt(i -> i).sum()).isEqualTo(6 + 7 + 8 + 9);
    List<Integer> none = new ArrayList<>();
    channel.forEach(none::add);
    assertThat(none).isEmpty();
  }

  @Test
  void aParallelStreamTakesOnlyWhatItNeeds() throws Exception {
    Channel<Integer> channel = Channel.unlimited();
    for (int i = 0; i < 10; i++) {
      channel.send(i);
    }
    // Open: one that took more than it used would wait here for ever.
    assertThat(channel.stream().parallel().limit(3).toList()).containsExactly(0, 1, 2);
    assertThat(channel.size()).isEqualTo(7);
    assertThat(channel.spliterator().trySplit()).isNull();
  }

  @Test
  void anInterruptEndsAnIterationAndStaysPending() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    Actor<Void> loop = world().start("loop", () -> channel.forEach(i -> {}));
    loop.interrupt();
    assertThat(loop.failure()).isInstanceOf(CancellationException.class).hasCauseInstanceOf(InterruptedException.class);
    assertThat(loop.endedInterrupted()).isTrue();
    channel.send(1);
    assertThat(channel.tryReceive().value()).contains(1);
  }

  // ---- time ----

  @Test
  void waitsAtMostSoLong() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    Hurry.inTime(
        SHORT,
        hurry -> {
          Actor<Received<Integer>> receiver = world().call("receive", () -> channel.tryReceive(hurry.time()));
          assertThat(channel.waitingReceivers()).isEqualTo(1);
          hurry.done();
          world().pass(hurry.time());
          assertThat(receiver.result()).isEqualTo(new Received.Empty<>());
        });
    assertThat(channel.waitingReceivers()).isZero();
    assertThat(channel.trySend(1, LONG).isOk()).isTrue();
    Hurry.inTime(
        SHORT,
        hurry -> {
          Actor<Sent<Integer>> sender = world().call("send", () -> channel.trySend(2, hurry.time()));
          assertThat(channel.waitingSenders()).isEqualTo(1);
          hurry.done();
          world().pass(hurry.time());
          assertThat(sender.result()).isEqualTo(new Sent.Full<>(2));
        });
    assertThat(channel.waitingSenders()).isZero();
    assertThat(channel.receiveMany(9)).containsExactly(1);
  }

  @Test
  void whatComesInTimeIsTaken() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    Actor<Received<Integer>> receiver = world().call("receive", () -> channel.tryReceive(LONG));
    Actor<Sent<Integer>> sender = world().call("send", () -> channel.trySend(1, LONG));
    assertThat(receiver.result()).isEqualTo(new Received.Value<>(1));
    assertThat(sender.result().isOk()).isTrue();
    Actor<Received<Integer>> forEver = world().call("receive", () -> channel.tryReceive(Duration.ofSeconds(Long.MAX_VALUE)));
    channel.send(2);
    assertThat(forEver.result()).isEqualTo(new Received.Value<>(2));
  }

  @Test
  void noTimeTriesOnce() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
      assertThat(channel.tryReceive(none)).isEqualTo(new Received.Empty<>());
      assertThat(channel.trySend(1, none).isOk()).isTrue();
      assertThat(channel.trySend(2, none)).isEqualTo(new Sent.Full<>(2));
      assertThat(channel.tryReceive(none)).isEqualTo(new Received.Value<>(1));
    }
    assertThat(channel.waitingReceivers() + channel.waitingSenders()).isZero();
  }

  // ---- refusals and looks ----

  @Test
  @SuppressWarnings("NullAway") // that is the test
  void nullIsNoValue() {
    Channel<String> channel = Channel.unlimited();
    String nothing = null;
    assertThatNullPointerException().isThrownBy(() -> channel.send(nothing)).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> channel.sendUninterruptibly(nothing)).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> channel.trySend(nothing)).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> channel.trySend(nothing, SHORT)).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> channel.sendAsync(nothing)).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> channel.fail(null)).withMessage("error");
    assertThatNullPointerException().isThrownBy(() -> Channel.buffered(1, null)).withMessage("undelivered");
    assertThat(channel.size()).isZero();
    assertThat(channel.isClosed()).isFalse();
  }

  @Test
  void aBufferHasRoomForOneAtLeast() {
    assertThatIllegalArgumentException().isThrownBy(() -> Channel.buffered(0)).withMessageContaining("rendezvous()");
    assertThatIllegalArgumentException().isThrownBy(() -> Channel.buffered(-1)).withMessageContaining("not -1");
    assertThatIllegalArgumentException().isThrownBy(() -> Channel.buffered(Integer.MIN_VALUE));
  }

  @Test
  void aHugeCapacityCostsNothingUntilItIsUsed() {
    for (int i = 0; i < 10_000; i++) {
      assertThat(Channel.buffered(Integer.MAX_VALUE - i).trySend(i).isOk()).isTrue();
    }
  }

  @Test
  void saysWhatItIs() throws Exception {
    assertThat(Channel.rendezvous()).asString().contains("[rendezvous, 0 stored]");
    assertThat(Channel.unlimited()).asString().contains("unlimited");
    assertThat(Channel.conflated()).asString().contains("conflated");
    Channel<Integer> channel = Channel.buffered(3);
    channel.send(1);
    assertThat(channel).asString().contains("[buffered 3, 1 stored]");
    assertThat(channel.capacity()).isEqualTo(3);
    channel.close();
    assertThat(channel).asString().contains("closed");
    Channel<Integer> failed = Channel.rendezvous();
    failed.fail(new IllegalStateException("no"));
    assertThat(failed).asString().contains("failed");
    assertThat(Channel.rendezvous().capacity()).isZero();
    assertThat(Channel.conflated().capacity()).isEqualTo(1);
    assertThat(Channel.unlimited().capacity()).isEqualTo(Integer.MAX_VALUE);
  }
}

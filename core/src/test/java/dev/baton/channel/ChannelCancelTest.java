// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.World.Step;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waits that end early: nothing is lost, nothing is sent that was withdrawn, and delivery wins. */
class ChannelCancelTest extends InEveryWorld {

  @Test
  void anInterruptedCallerSendsAndTakesNothing() throws Exception {
    Channel<Integer> channel = Channel.buffered(2);
    channel.send(1);
    for (Step call :
        List.<Step>of(
            channel::receive,
            () -> channel.tryReceive(SHORT),
            () -> channel.tryReceive(Duration.ZERO),
            () -> channel.receiveMany(3),
            () -> channel.send(2),
            () -> channel.trySend(2, SHORT),
            () -> channel.trySend(2, Duration.ZERO))) {
      Actor<Void> caller =
          world()
              .start(
                  "interrupted",
                  () -> {
                    Thread.currentThread().interrupt();
                    call.run();
                  });
      assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
      assertThat(caller.endedInterrupted()).isFalse();
    }
    assertThat(channel.receiveMany(9)).containsExactly(1);
  }

  @Test
  void case102_aCancelledReceiveLosesNothing() throws Exception {
    for (Channel<Integer> channel : List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(1))) {
      Actor<Integer> first = world().call("first", channel::receive);
      Actor<Received<Integer>> second = world().call("second", () -> channel.tryReceive(LONG));
      Actor<Integer> third = world().call("third", channel::receive);
      first.interrupt();
      second.interrupt();
      assertThat(first.failure()).isInstanceOf(InterruptedException.class);
      assertThat(second.failure()).isInstanceOf(InterruptedException.class);
      assertThat(first.endedInterrupted()).isFalse();
      assertThat(channel.waitingReceivers()).isEqualTo(1);
      assertThat(channel.trySend(1).isOk()).isTrue();
      assertThat(third.result()).isEqualTo(1);
      assertThat(channel.waitingReceivers()).isZero();
    }
  }

  @Test
  void aCancelledSendHasNotSentAndTheOthersKeepTheirOrder() throws Exception {
    for (Channel<Integer> channel : List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(1))) {
      channel.trySend(-1);
      List<Actor<Void>> senders =
          IntStream.range(0, 5).mapToObj(i -> world().start("send " + i, () -> channel.send(i))).toList();
      for (int gone : new int[] {0, 2, 4}) {
        senders.get(gone).interrupt();
        assertThat(senders.get(gone).failure()).isInstanceOf(InterruptedException.class);
      }
      assertThat(channel.waitingSenders()).isEqualTo(2);
      List<Integer> received = new ArrayList<>(channel.receiveMany(9));
      received.remove((Integer) (-1));
      assertThat(received).containsExactly(1, 3);
      senders.get(1).result();
      senders.get(3).result();
      assertThat(channel.waitingSenders()).isZero();
      assertThat(channel.size()).isZero();
    }
  }

  @Test
  void case122_aValueThatMeetsAnInterruptIsReturned() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    for (Callable<Object> receive :
        List.<Callable<Object>>of(
            channel::receive,
            () -> channel.tryReceive(LONG).value().orElseThrow(),
            () -> channel.receiveMany(1).getFirst(),
            () -> channel.iterator().next(),
            () -> Select.of(Select.receive(channel, v -> v)).run())) {
      Actor<Object> first = world().call("first", receive);
      Actor<Integer> second = world().call("second", channel::receive);
      assertThat(channel.trySend(1).isOk()).isTrue();
      first.interrupt();
      // By hand the value was handed over before the interrupt without doubt; on threads it may have been used already.
      assertThat(first.result()).isEqualTo(1);
      if (kind == Worlds.STEPPED) {
        assertThat(first.endedInterrupted()).isTrue();
      }
      assertThat(channel.trySend(2).isOk()).isTrue();
      assertThat(second.result()).isEqualTo(2);
      assertThat(channel.waitingReceivers()).isZero();
    }
  }

  @Test
  void case122_aSendWhoseValueWasTakenReturnsThoughInterrupted() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    for (Step send :
        List.<Step>of(
            () -> channel.send(1),
            () -> assertThat(channel.trySend(1, LONG).isOk()).isTrue(),
            () -> Select.of(Select.send(channel, 1, () -> "sent")).run())) {
      Actor<Void> sender = world().start("send", send);
      assertThat(channel.receive()).isEqualTo(1);
      sender.interrupt();
      sender.result();
      if (kind == Worlds.STEPPED) {
        assertThat(sender.endedInterrupted()).isTrue();
      }
      assertThat(channel.waitingSenders()).isZero();
    }
  }

  @Test
  void case122_receiversThatAreInterruptedAllTheTimeLoseAndReorderNothing() {
    int values = kind == Worlds.STEPPED ? 60 : 2_000;
    for (Channel<Integer> channel : List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(2))) {
      List<Integer> received = new ArrayList<>();
      Actor<Object> receiver =
          world()
              .launch(
                  "receive",
                  () -> {
                    while (received.size() < values) {
                      try {
                        received.add(channel.receive());
                      } catch (InterruptedException e) {
                        // again
                      }
                      Thread.interrupted();
                    }
                    return null;
                  });
      Actor<Object> sender =
          world()
              .launch(
                  "send",
                  () -> {
                    for (int i = 0; i < values; ) {
                      try {
                        channel.send(i);
                        i++;
                      } catch (InterruptedException e) {
                        // not sent: again
                      }
                      if (Thread.interrupted() | i % 3 == 0) {
                        receiver.interrupt();
                      }
                    }
                    return null;
                  });
      while (kind != Worlds.STEPPED && !sender.isDone()) {
        sender.interrupt();
        Thread.onSpinWait();
      }
      sender.result();
      receiver.result();
      assertThat(received).isEqualTo(IntStream.range(0, values).boxed().toList());
      assertThat(channel.waitingReceivers() + channel.waitingSenders() + channel.size()).isZero();
    }
  }

  @Test
  void aDeliveryThatMeetsTheDeadlineWins() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    Actor<Received<Integer>> receiver = world().call("receive", () -> channel.tryReceive(SHORT));
    boolean sent = channel.trySend(1).isOk();
    world().pass(SHORT.multipliedBy(2));
    assertThat(receiver.result().value().isPresent()).isEqualTo(sent);
    Actor<Sent<Integer>> sender = world().call("send", () -> channel.trySend(2, SHORT));
    boolean received = channel.tryReceive().value().isPresent();
    world().pass(SHORT.multipliedBy(2));
    assertThat(sender.result().isOk()).isEqualTo(received);
    if (kind == Worlds.STEPPED) {
      assertThat(sent && received).isTrue();
    }
  }

  @Test
  void anUninterruptibleWaitGoesOnAndKeepsTheFlag() {
    Channel<Integer> channel = Channel.rendezvous();
    Actor<Integer> receiver = world().call("receive", channel::receiveUninterruptibly);
    receiver.interrupt();
    world().settle();
    assertThat(receiver.isDone()).isFalse();
    channel.sendUninterruptibly(1);
    assertThat(receiver.result()).isEqualTo(1);
    assertThat(receiver.endedInterrupted()).isTrue();
    Actor<Void> sender = world().start("send", () -> channel.sendUninterruptibly(2));
    sender.interrupt();
    world().settle();
    assertThat(channel.receiveUninterruptibly()).isEqualTo(2);
    sender.result();
    assertThat(sender.endedInterrupted()).isTrue();
    Actor<Void> last = world().start("send", () -> channel.sendUninterruptibly(3));
    channel.close();
    assertThat(last.failure()).isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void anIteratorThatIsHandedAValueReturnsItThoughInterrupted() {
    Channel<Integer> channel = Channel.rendezvous();
    List<Integer> seen = new ArrayList<>();
    Actor<Void> loop = world().start("loop", () -> channel.forEach(seen::add));
    channel.trySend(1);
    loop.interrupt();
    assertThat(loop.failure()).isInstanceOf(CancellationException.class);
    assertThat(seen).containsExactly(1);
  }
}

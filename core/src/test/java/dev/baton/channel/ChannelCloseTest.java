// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Worlds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** The end: orderly, with an error, or with what is left thrown away. */
class ChannelCloseTest extends InEveryWorld {

  @Test
  void case97_closeRefusesThoseWhoWaitToSendAndLetsTheBufferDrain() throws Exception {
    Channel<Integer> channel = Channel.buffered(2);
    channel.send(1);
    channel.send(2);
    Actor<Void> blocking = world().start("send", () -> channel.send(3));
    Actor<Sent<Integer>> timed = world().call("send", () -> channel.trySend(4, LONG));
    CompletableFuture<Void> future = channel.sendAsync(5);
    channel.close();
    assertThat(blocking.failure())
        .isInstanceOf(ChannelClosedException.class)
        .hasMessage("Cannot send: the channel is closed.");
    assertThat(timed.result()).isEqualTo(new Sent.Closed<>(4));
    assertThat(future.exceptionNow()).isInstanceOf(ChannelClosedException.class);
    assertThat(channel.waitingSenders()).isZero();
    assertThat(channel.isClosed()).isTrue();
    assertThat(channel.isFinished()).isFalse();
    assertThat(channel.receive()).isEqualTo(1);
    assertThat(channel.tryReceive()).isEqualTo(new Received.Value<>(2));
    assertThat(channel.isFinished()).isTrue();
    assertThatThrownBy(channel::receive)
        .isInstanceOf(ChannelClosedException.class)
        .hasMessage("Cannot receive: the channel is closed and drained.");
  }

  @Test
  void case101_afterTheLastValueComesTheEnd() throws Exception {
    Channel<Integer> channel = Channel.buffered(8);
    Actor<List<Integer>> receiver = world().call("receive", () -> channel.stream().toList());
    world()
        .start(
            "send",
            () -> {
              for (int i = 0; i < 5; i++) {
                channel.send(i);
              }
              channel.close();
            })
        .result();
    assertThat(receiver.result()).containsExactly(0, 1, 2, 3, 4);
    assertThat(channel.tryReceive()).isEqualTo(new Received.Closed<>());
    assertThat(channel.tryReceive(LONG)).isEqualTo(new Received.Closed<>());
    assertThat(channel.tryReceive().isEnd()).isTrue();
    assertThat(channel.receiveMany(3)).isEmpty();
    assertThatThrownBy(channel::receiveUninterruptibly).isInstanceOf(ChannelClosedException.class);
    assertThat(channel.receiveAsync().exceptionNow()).isInstanceOf(ChannelClosedException.class);
    assertThat(channel.trySend(9)).isEqualTo(new Sent.Closed<>(9));
    assertThatThrownBy(() -> channel.send(9)).isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void thoseWhoWaitToReceiveAreTold() throws Exception {
    for (Channel<Integer> channel :
        List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(1), Channel.<Integer>conflated())) {
      Actor<Integer> blocking = world().call("receive", channel::receive);
      Actor<Integer> uninterruptible = world().call("receive", channel::receiveUninterruptibly);
      Actor<Received<Integer>> timed = world().call("receive", () -> channel.tryReceive(LONG));
      Actor<List<Integer>> many = world().call("receive", () -> channel.receiveMany(2));
      Actor<Boolean> iterator = world().call("receive", () -> channel.iterator().hasNext());
      CompletableFuture<Integer> future = channel.receiveAsync();
      channel.close();
      assertThat(blocking.failure()).isInstanceOf(ChannelClosedException.class);
      assertThat(uninterruptible.failure()).isInstanceOf(ChannelClosedException.class);
      assertThat(timed.result()).isEqualTo(new Received.Closed<>());
      assertThat(many.result()).isEmpty();
      assertThat(iterator.result()).isFalse();
      assertThat(future.exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThat(channel.waitingReceivers()).isZero();
      channel.close();
    }
  }

  @Test
  void anErrorComesAfterWhatWasSentBefore() throws Exception {
    IllegalStateException broken = new IllegalStateException("broken");
    Channel<Integer> channel = Channel.buffered(2);
    channel.send(1);
    channel.send(2);
    Actor<Void> waiting = world().start("send", () -> channel.send(3));
    assertThat(channel.fail(broken)).isTrue();
    assertThat(channel.fail(new IllegalStateException("again"))).isFalse();
    channel.close();
    assertThat(waiting.failure()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThat(channel.trySend(4)).isEqualTo(new Sent.Failed<>(4, broken));
    assertThatThrownBy(() -> channel.sendUninterruptibly(4)).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThat(channel.receiveMany(9)).containsExactly(1, 2);
    assertThatThrownBy(() -> channel.receiveMany(9)).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThatThrownBy(channel::receive).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThatThrownBy(channel::receiveUninterruptibly).isInstanceOf(ChannelFailedException.class);
    assertThat(channel.tryReceive()).isEqualTo(new Received.Failed<>(broken));
    assertThat(channel.receiveAsync().exceptionNow()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThatThrownBy(() -> channel.iterator().hasNext()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThat(channel.isFinished()).isTrue();
  }

  @Test
  void thoseWhoWaitGetTheError() throws Exception {
    IllegalStateException broken = new IllegalStateException("broken");
    Channel<Integer> channel = Channel.rendezvous();
    Actor<Integer> blocking = world().call("receive", channel::receive);
    Actor<Received<Integer>> timed = world().call("receive", () -> channel.tryReceive(LONG));
    Actor<List<Integer>> many = world().call("receive", () -> channel.receiveMany(2));
    Actor<Boolean> iterator = world().call("receive", () -> channel.iterator().hasNext());
    CompletableFuture<Integer> future = channel.receiveAsync();
    channel.fail(broken);
    assertThat(blocking.failure()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThat(timed.result()).isEqualTo(new Received.Failed<>(broken));
    assertThat(many.failure()).isInstanceOf(ChannelFailedException.class);
    assertThat(iterator.failure()).isInstanceOf(ChannelFailedException.class);
    assertThat(future.exceptionNow()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
  }

  @Test
  void anErrorThatCannotSayWhatItIsIsToldAllTheSame() throws Exception {
    RuntimeException silent =
        new RuntimeException() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new UnsupportedOperationException("no words");
          }
        };
    Channel<Integer> channel = Channel.rendezvous();
    CompletableFuture<Integer> first = channel.receiveAsync();
    Actor<Integer> blocking = world().call("receive", channel::receive);
    Actor<Integer> select = world().call("select", () -> Select.of(Select.receive(channel, value -> value)).run());
    CompletableFuture<Integer> last = channel.receiveAsync();
    assertThat(channel.fail(silent)).isTrue();
    for (Throwable told : List.of(first.exceptionNow(), blocking.failure(), select.failure(), last.exceptionNow())) {
      assertThat(told).isInstanceOf(ChannelFailedException.class).hasMessageContaining(silent.getClass().getName());
      assertThat(told.getCause() == silent).isTrue();
    }
  }

  @Test
  void failingAClosedChannelChangesNothing() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    channel.send(1);
    channel.close();
    assertThat(channel.fail(new IllegalStateException("late"))).isFalse();
    assertThat(channel.receive()).isEqualTo(1);
    assertThat(channel.tryReceive()).isEqualTo(new Received.Closed<>());
  }

  @Test
  void whatIsDiscardedGoesToTheHook() throws Exception {
    List<Integer> undelivered = new ArrayList<>();
    Channel<Integer> channel = Channel.buffered(2, undelivered::add);
    channel.send(1);
    channel.send(2);
    Actor<Void> waiting = world().start("send", () -> channel.send(3));
    channel.discard();
    assertThat(undelivered).containsExactly(1, 2);
    // Not sent, so it stays with its sender.
    assertThat(waiting.failure()).isInstanceOf(ChannelClosedException.class);
    assertThat(channel.isFinished()).isTrue();
    channel.discard();
    assertThat(undelivered).containsExactly(1, 2);
    for (Channel<Integer> kind :
        List.of(
            Channel.<Integer>rendezvous(undelivered::add),
            Channel.<Integer>unlimited(undelivered::add),
            Channel.<Integer>conflated(undelivered::add))) {
      undelivered.clear();
      boolean sent = kind.trySend(7).isOk();
      kind.discard();
      assertThat(undelivered).isEqualTo(sent ? List.of(7) : List.of());
    }
  }

  @Test
  void aFailedChannelCanBeDiscardedAndKeepsItsError() throws Exception {
    List<Integer> undelivered = new ArrayList<>();
    Channel<Integer> channel = Channel.unlimited(undelivered::add);
    channel.send(1);
    channel.fail(new IllegalStateException("broken"));
    channel.discard();
    assertThat(undelivered).containsExactly(1);
    assertThatThrownBy(channel::receive).isInstanceOf(ChannelFailedException.class);
  }

  @Test
  void aHookThatThrowsSkipsNothing() throws Exception {
    List<Integer> undelivered = new ArrayList<>();
    Channel<Integer> channel =
        Channel.buffered(
            4,
            value -> {
              undelivered.add(value);
              throw new IllegalStateException("hook " + value);
            });
    for (int i = 1; i <= 3; i++) {
      channel.send(i);
    }
    assertThatThrownBy(channel::discard)
        .hasMessage("hook 1")
        .extracting(Throwable::getSuppressed, as(InstanceOfAssertFactories.array(Throwable[].class)))
        .extracting(Throwable::getMessage)
        .containsExactly("hook 2", "hook 3");
    assertThat(undelivered).containsExactly(1, 2, 3);
    assertThat(channel.isFinished()).isTrue();
  }

  @Test
  void aHookThatThrowsTellsTheSenderWhoseValueWasSentAllTheSame() throws Exception {
    Channel<Integer> channel =
        Channel.conflated(
            value -> {
              throw new IllegalStateException("hook " + value);
            });
    channel.send(1);
    assertThatThrownBy(() -> channel.send(2)).hasMessage("hook 1");
    assertThatThrownBy(() -> Select.of(Select.send(channel, 3, () -> "sent")).run()).hasMessage("hook 2");
    assertThat(channel.receive()).isEqualTo(3);
  }

  @Test
  void whateverIsSentBesideADiscardIsReceivedUndeliveredOrStaysWithItsSender() {
    int rounds = kind == Worlds.STEPPED ? 30 : 300;
    world().takeTurns();
    for (int round = 0; round < rounds; round++) {
      List<Integer> undelivered = Collections.synchronizedList(new ArrayList<>());
      List<Integer> refused = Collections.synchronizedList(new ArrayList<>());
      List<Integer> received = Collections.synchronizedList(new ArrayList<>());
      Channel<Integer> channel = Channel.buffered(2, undelivered::add);
      List<Actor<Object>> all = new ArrayList<>();
      for (int s = 0; s < 2; s++) {
        int first = s * 100;
        all.add(
            world()
                .launch(
                    "send",
                    () -> {
                      for (int i = first; i < first + 5; i++) {
                        try {
                          channel.send(i);
                        } catch (ChannelClosedException e) {
                          refused.add(i);
                        }
                      }
                      return null;
                    }));
      }
      all.add(
          world()
              .launch(
                  "receive",
                  () -> {
                    channel.forEach(received::add);
                    return null;
                  }));
      all.add(
          world()
              .launch(
                  "discard",
                  () -> {
                    channel.discard();
                    return null;
                  }));
      all.forEach(Actor::result);
      List<Integer> everything = new ArrayList<>(received);
      everything.addAll(undelivered);
      everything.addAll(refused);
      assertThat(everything).containsExactlyInAnyOrderElementsOf(
          IntStream.concat(IntStream.range(0, 5), IntStream.range(100, 105)).boxed().toList());
      assertThat(channel.waitingReceivers() + channel.waitingSenders() + channel.size()).isZero();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A buffered broadcast waits for its slowest subscriber. */
class BackPressureTest extends InEveryWorld {
  private final Broadcast<Integer> broadcast = Broadcast.buffered(2);
  private final Subscription<Integer> slow = broadcast.subscribe();

  private void fill() {
    assertThat(broadcast.trySend(1).isOk()).isTrue();
    assertThat(broadcast.trySend(2).isOk()).isTrue();
  }

  @Test
  void aSendWaitsForTheSlowestHoweverFastTheOthersAre() throws Exception {
    Subscription<Integer> fast = broadcast.subscribe();
    fill();
    assertThat(List.of(fast.receive(), fast.receive())).containsExactly(1, 2);
    Actor<Integer> waitingReceiver = world().call("fast", fast::receive);
    assertThat(broadcast.trySend(3)).isEqualTo(new Published.Full<>(3));
    Actor<Integer> sender = world().call("sender", () -> broadcast.send(3));
    assertThat(broadcast.waitingSenders()).isEqualTo(1);
    assertThat(waitingReceiver.isDone()).isFalse();
    assertThat(slow.receive()).isEqualTo(1);
    assertThat(sender.result()).isEqualTo(2);
    assertThat(waitingReceiver.result()).isEqualTo(3);
    assertThat(List.of(slow.receive(), slow.receive())).containsExactly(2, 3);
    assertThat(broadcast.size()).isZero();
  }

  @Test
  void sendersGoOnInTheOrderInWhichTheyCame() throws Exception {
    fill();
    List<Actor<Integer>> senders = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int value = 3 + i;
      senders.add(world().call("sender " + value, () -> broadcast.send(value)));
    }
    CompletableFuture<Integer> future = broadcast.sendAsync(6);
    // Nobody overtakes them, not even one who comes when there is room for the first.
    assertThat(broadcast.trySend(7).isOk()).isFalse();
    for (int value = 1; value <= 6; value++) {
      assertThat(slow.receive()).isEqualTo(value);
    }
    senders.forEach(sender -> assertThat(sender.result()).isEqualTo(1));
    assertThat(future.resultNow()).isEqualTo(1);
    assertThat(slow.tryReceive()).isEqualTo(new Heard.Empty<>());
  }

  @Test
  void oneReceiveMakesRoomForOneSend() throws Exception {
    fill();
    CompletableFuture<Integer> third = broadcast.sendAsync(3);
    CompletableFuture<Integer> fourth = broadcast.sendAsync(4);
    slow.receive();
    assertThat(third.isDone()).isTrue();
    assertThat(fourth.isDone()).isFalse();
    assertThat(broadcast.size()).isEqualTo(2);
    assertThat(broadcast.waitingSenders()).isEqualTo(1);
  }

  @Test
  void closingTheSlowestLetsTheSendersGoOnInTheSameStep() throws Exception {
    Subscription<Integer> fast = broadcast.subscribe();
    fill();
    fast.receive();
    fast.receive();
    List<CompletableFuture<Integer>> sends = new ArrayList<>();
    for (int value = 3; value <= 5; value++) {
      sends.add(broadcast.sendAsync(value));
    }
    slow.close();
    assertThat(sends.get(0).resultNow()).isEqualTo(1);
    assertThat(sends.get(1).resultNow()).isEqualTo(1);
    assertThat(sends.get(2).isDone()).isFalse();
    assertThat(broadcast.size()).isEqualTo(2);
    assertThat(List.of(fast.receive(), fast.receive(), fast.receive())).containsExactly(3, 4, 5);
  }

  @Test
  void closingTheSlowestHandsWhatWaitsToThoseWhoWaitForIt() {
    Subscription<Integer> fast = broadcast.subscribe();
    fill();
    fast.tryReceive();
    fast.tryReceive();
    List<CompletableFuture<Integer>> receives = new ArrayList<>();
    List<CompletableFuture<Integer>> sends = new ArrayList<>();
    for (int value = 3; value <= 6; value++) {
      receives.add(fast.receiveAsync());
      sends.add(broadcast.sendAsync(value));
    }
    slow.close();
    assertThat(receives.stream().map(CompletableFuture::resultNow)).containsExactly(3, 4, 5, 6);
    assertThat(sends).allMatch(CompletableFuture::isDone);
    assertThat(broadcast.size()).isZero();
  }

  @Test
  void closingTheLastSubscriptionTellsTheSendersThatNobodyIsThere() {
    fill();
    Actor<Integer> sender = world().call("sender", () -> broadcast.send(3));
    Actor<Published<Integer>> timed = world().call("timed", () -> broadcast.trySend(4, LONG));
    CompletableFuture<Integer> future = broadcast.sendAsync(5);
    slow.close();
    assertThat(sender.failure())
        .isInstanceOfSatisfying(NoSubscriberException.class, e -> assertThat(e.value()).isEqualTo(3));
    assertThat(timed.result()).isEqualTo(new Published.NoSubscriber<>(4));
    assertThat(future.exceptionNow())
        .isInstanceOfSatisfying(NoSubscriberException.class, e -> assertThat(e.value()).isEqualTo(5));
    assertThat(broadcast.size()).isZero();
    Subscription<Integer> next = broadcast.subscribe();
    assertThat(broadcast.trySend(6)).isEqualTo(new Published.Ok<>(1));
    assertThat(next.tryReceive()).isEqualTo(new Heard.Value<>(6));
  }

  @Test
  void whoSubscribesWhileASendWaitsReceivesIt() throws Exception {
    fill();
    CompletableFuture<Integer> send = broadcast.sendAsync(3);
    Subscription<Integer> late = broadcast.subscribe();
    slow.receive();
    assertThat(send.resultNow()).isEqualTo(2);
    assertThat(late.receive()).isEqualTo(3);
  }

  @Test
  void aSendThatEndsEarlyHasSentNothing() throws Exception {
    fill();
    Actor<Integer> interrupted = world().call("interrupted", () -> broadcast.send(3));
    Actor<Published<Integer>> timed = world().call("timed", () -> broadcast.trySend(4, SHORT));
    CompletableFuture<Integer> cancelled = broadcast.sendAsync(5);
    Actor<Integer> patient = world().call("patient", () -> broadcast.send(6));
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    world().pass(SHORT);
    assertThat(timed.result()).isEqualTo(new Published.Full<>(4));
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(broadcast.waitingSenders()).isEqualTo(1);
    assertThat(List.of(slow.receive(), slow.receive(), slow.receive())).containsExactly(1, 2, 6);
    patient.result();
    assertThat(broadcast.waitingSenders()).isZero();
    assertThat(broadcast.trySend(7, Duration.ZERO).isOk()).isTrue();
  }

  @Test
  void aSentValueWinsOverAnInterruptThatComesLater() throws Exception {
    fill();
    Actor<Integer> sender = world().call("sender", () -> broadcast.send(3));
    slow.receive();
    sender.interrupt();
    assertThat(sender.result()).isEqualTo(1);
    if (kind == Worlds.STEPPED) {
      // On threads it may have ended before.
      assertThat(sender.endedInterrupted()).isTrue();
    }
    assertThat(List.of(slow.receive(), slow.receive())).containsExactly(2, 3);
  }

  @Test
  void anInterruptThatMeetsRoomHasEitherSentOrNot() throws Exception {
    fill();
    boolean[] sent = new boolean[1];
    Actor<Void> sender =
        world()
            .start(
                "sender",
                () -> {
                  broadcast.send(3);
                  sent[0] = true;
                });
    sender.interrupt();
    slow.receive();
    Eventually.holds(world(), sender::isDone);
    assertThat(slow.receive()).isEqualTo(2);
    assertThat(slow.tryReceive().value().isPresent()).isEqualTo(sent[0]);
  }

  @Test
  void anUninterruptibleSendGoesOnAndKeepsTheInterrupt() throws Exception {
    fill();
    Actor<Integer> sender = world().call("sender", () -> broadcast.sendUninterruptibly(3));
    sender.interrupt();
    world().settle();
    assertThat(broadcast.waitingSenders()).isEqualTo(1);
    slow.receive();
    assertThat(sender.result()).isEqualTo(1);
    assertThat(sender.endedInterrupted()).isTrue();
  }

  @Test
  void aSendingFutureTimesOut() throws Exception {
    fill();
    assertThat(broadcast.sendAsync(3, Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    Actor<Throwable> asker =
        world()
            .call(
                "asker",
                () -> {
                  CompletableFuture<Integer> future = broadcast.sendAsync(3, SHORT);
                  Event ended = new Event();
                  future.whenComplete((receivers, failure) -> ended.set());
                  ended.await();
                  return future.exceptionNow();
                });
    world().pass(SHORT);
    assertThat(asker.result()).isInstanceOf(TimeoutException.class).hasMessageContaining("withdrawn");
    assertThat(broadcast.waitingSenders()).isZero();
    slow.receive();
    assertThat(broadcast.sendAsync(4, Duration.ZERO).resultNow()).isEqualTo(1);
    assertThat(List.of(slow.receive(), slow.receive())).containsExactly(2, 4);
  }

  @Test
  void closingTellsTheSendersAndKeepsWhatWasSent() throws Exception {
    fill();
    Actor<Integer> sender = world().call("sender", () -> broadcast.send(3));
    CompletableFuture<Integer> future = broadcast.sendAsync(4);
    broadcast.close();
    assertThat(sender.failure()).isInstanceOf(ChannelClosedException.class);
    assertThat(future.exceptionNow()).isInstanceOf(ChannelClosedException.class);
    assertThat(List.of(slow.receive(), slow.receive())).containsExactly(1, 2);
    assertThatThrownBy(slow::receive).isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void failingTellsTheSendersWhy() {
    fill();
    Exception error = new Exception("broken");
    Actor<Integer> sender = world().call("sender", () -> broadcast.send(3));
    Actor<Published<Integer>> timed = world().call("timed", () -> broadcast.trySend(4, LONG));
    broadcast.fail(error);
    assertThat(sender.failure()).isInstanceOf(ChannelFailedException.class).hasCause(error);
    assertThat(timed.result()).isEqualTo(new Published.Failed<>(4, error));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World.Step;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Futures that stand in line as threads do. */
class ChannelAsyncTest extends InEveryWorld {

  @Test
  void futuresAndThreadsStandInTheSameLine() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    CompletableFuture<Integer> first = channel.receiveAsync();
    Actor<Integer> second = world().call("receive", channel::receive);
    CompletableFuture<Integer> third = channel.receiveAsync(LONG);
    for (int i = 1; i <= 3; i++) {
      assertThat(channel.sendAsync(i)).isCompleted();
    }
    assertThat(first).isCompletedWithValue(1);
    assertThat(second.result()).isEqualTo(2);
    assertThat(third).isCompletedWithValue(3);
    assertThat(channel.sendAsync(4)).isCompleted();
    CompletableFuture<Void> fifth = channel.sendAsync(5);
    Actor<Void> sixth = world().start("send", () -> channel.send(6));
    CompletableFuture<Void> seventh = channel.sendAsync(7, LONG);
    assertThat(channel.waitingSenders()).isEqualTo(3);
    assertThat(channel.receiveMany(2)).containsExactly(4, 5);
    assertThat(fifth).isCompleted();
    sixth.result();
    assertThat(seventh).isNotDone();
    assertThat(channel.receiveMany(2)).containsExactly(6, 7);
    assertThat(seventh).isCompleted();
  }

  @Test
  void aCancelledReceiveLeavesTheLineAndTakesNothing() throws Exception {
    for (Consumer<CompletableFuture<Integer>> end : endings(-1)) {
      Channel<Integer> channel = Channel.rendezvous();
      CompletableFuture<Integer> first = channel.receiveAsync();
      CompletableFuture<Integer> second = channel.receiveAsync();
      end.accept(first);
      Eventually.holds(world(), first::isDone);
      assertThat(channel.waitingReceivers()).isEqualTo(1);
      assertThat(channel.trySend(1).isOk()).isTrue();
      assertThat(second).isCompletedWithValue(1);
      assertThat(channel.trySend(2).isOk()).isFalse();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // Void has no other value
  void aCancelledSendHasNotSent() throws Exception {
    for (Consumer<CompletableFuture<Void>> end : ChannelAsyncTest.<Void>endings(null)) {
      Channel<Integer> channel = Channel.rendezvous();
      CompletableFuture<Void> first = channel.sendAsync(1);
      CompletableFuture<Void> second = channel.sendAsync(2);
      end.accept(first);
      Eventually.holds(world(), first::isDone);
      assertThat(channel.waitingSenders()).isEqualTo(1);
      assertThat(channel.receive()).isEqualTo(2);
      assertThat(second).isCompleted();
      assertThat(channel.tryReceive().value()).isEmpty();
    }
  }

  private static <T> List<Consumer<CompletableFuture<T>>> endings(T value) {
    return List.of(
        f -> assertThat(f.cancel(true)).isTrue(),
        f -> assertThat(f.complete(value)).isTrue(),
        f -> assertThat(f.completeExceptionally(new IllegalStateException("enough"))).isTrue(),
        f -> f.completeAsync(() -> value, Runnable::run),
        f -> f.obtrudeValue(value),
        f -> f.obtrudeException(new IllegalStateException("enough")));
  }

  @Test
  void aTimeOutOfTheJdksWithdrawsToo() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    CompletableFuture<Integer> receive = channel.receiveAsync().orTimeout(1, TimeUnit.MILLISECONDS);
    CompletableFuture<Integer> instead = channel.receiveAsync().completeOnTimeout(-1, 1, TimeUnit.MILLISECONDS);
    assertThatThrownBy(receive::join).hasCauseInstanceOf(TimeoutException.class);
    assertThat(instead.join()).isEqualTo(-1);
    assertThat(channel.waitingReceivers()).isZero();
  }

  @Test
  void aFutureWaitsAtMostSoLong() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    for (boolean sending : new boolean[] {true, false}) {
      Actor<Throwable> asker =
          world()
              .call(
                  "asker",
                  () -> {
                    CompletableFuture<?> future = sending ? channel.sendAsync(1, SHORT) : channel.receiveAsync(SHORT);
                    Event ended = new Event();
                    future.whenComplete((value, failure) -> ended.set());
                    ended.await();
                    return future.exceptionNow();
                  });
      world().pass(SHORT);
      assertThat(asker.result()).isInstanceOf(TimeoutException.class);
      assertThat(channel.waitingReceivers() + channel.waitingSenders()).isZero();
    }
    for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThat(channel.receiveAsync(none).exceptionNow()).isInstanceOf(TimeoutException.class);
      assertThat(channel.sendAsync(1, none).exceptionNow()).isInstanceOf(TimeoutException.class);
      Channel<Integer> ready = Channel.buffered(1);
      assertThat(ready.sendAsync(1, none)).isCompleted();
      assertThat(ready.receiveAsync(none)).isCompletedWithValue(1);
      ready.close();
      assertThat(ready.receiveAsync(none).exceptionNow()).isInstanceOf(ChannelClosedException.class);
      assertThat(ready.sendAsync(1, none).exceptionNow()).isInstanceOf(ChannelClosedException.class);
    }
  }

  @Test
  void aValueThatIsOnItsWayIsDeliveredThoughTheFutureIsCancelled() {
    for (Consumer<CompletableFuture<Integer>> end :
        List.<Consumer<CompletableFuture<Integer>>>of(
            f -> assertThat(f.cancel(true)).isFalse(),
            f -> assertThat(f.complete(-1)).isFalse(),
            f -> assertThat(f.completeExceptionally(new IllegalStateException("enough"))).isFalse())) {
      Channel<Integer> channel = Channel.rendezvous();
      CompletableFuture<Integer> late = onItsWay(channel, end);
      Eventually.holds(world(), late::isDone);
      assertThat(late).isCompletedWithValue(7);
    }
  }

  @Test
  void aValueWhoseFutureIsObtrudedGoesToTheHook() {
    List<Integer> undelivered = new ArrayList<>();
    Channel<Integer> channel = Channel.rendezvous(undelivered::add);
    CompletableFuture<Integer> late = onItsWay(channel, f -> f.obtrudeValue(-1));
    assertThat(late).isCompletedWithValue(-1);
    // By hand the value comes too late without doubt; on threads it may have been delivered first.
    if (kind == Worlds.STEPPED) {
      Eventually.holds(world(), () -> !undelivered.isEmpty());
      assertThat(undelivered).containsExactly(7);
    }
  }

  /**
   * A receiver that was given a value that has not arrived yet: the last of so many nested callbacks goes on in a task of its
   * own. At that moment {@code end} happens.
   */
  private CompletableFuture<Integer> onItsWay(Channel<Integer> channel, Consumer<CompletableFuture<Integer>> end) {
    List<CompletableFuture<Integer>> last = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    world()
        .start(
            "nest",
            () -> {
              CompletableFuture<Integer> receive = channel.receiveAsync();
              last.add(receive);
              nest(
                  17,
                  () -> {
                    try {
                      channel.trySend(7);
                      // On threads it may have arrived by now, also while this is going on.
                      assertThat(receive.isDone() && kind == Worlds.STEPPED).isFalse();
                      end.accept(receive);
                    } catch (Throwable t) {
                      failures.add(t);
                    }
                  });
            })
        .result();
    assertThat(failures).isEmpty();
    return last.getFirst();
  }

  private static void nest(int depth, Runnable innermost) {
    if (depth == 0) {
      innermost.run();
      return;
    }
    Channel<Integer> channel = Channel.rendezvous();
    channel.receiveAsync().thenRun(() -> nest(depth - 1, innermost));
    channel.trySend(depth);
  }

  @Test
  void longChainsOfCallbacksDoNotOverflowTheStack() {
    Channel<Integer> channel = Channel.unlimited();
    int links = kind == Worlds.STEPPED ? 500 : 10_000;
    List<Integer> seen = new ArrayList<>();
    Event done = new Event();
    Actor<Void> chain =
        world()
            .start(
                "chain",
                () -> {
                  link(channel, links, seen, done);
                  channel.send(0);
                  done.await();
                });
    chain.result();
    assertThat(seen).hasSize(links).isSorted();
    assertThat(channel.size()).isZero();
  }

  private static void link(Channel<Integer> channel, int links, List<Integer> seen, Event done) {
    channel
        .receiveAsync()
        .thenAccept(
            value -> {
              seen.add(value);
              if (value + 1 == links) {
                done.set();
                return;
              }
              link(channel, links, seen, done);
              channel.trySend(value + 1);
            });
  }

  @Test
  void aCallbackThatThrowsConcernsNobodyElse() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    for (int i = 0; i < 3; i++) {
      channel
          .receiveAsync()
          .thenRun(
              () -> {
                throw new IllegalStateException("callback");
              });
    }
    CompletableFuture<Integer> last = channel.receiveAsync();
    for (int i = 0; i < 4; i++) {
      assertThat(channel.trySend(i).isOk()).isTrue();
    }
    assertThat(last).isCompletedWithValue(3);
  }

  @Test
  void cancelsAndSendsThatRaceLoseAndDoubleNothing() {
    int rounds = kind == Worlds.STEPPED ? 200 : 5_000;
    for (int round = 0; round < rounds; round++) {
      Channel<Integer> channel = Channel.rendezvous();
      CompletableFuture<Integer> receive = channel.receiveAsync();
      Actor<Boolean> sender = world().launch("send", () -> channel.trySend(1).isOk());
      boolean cancelled = receive.cancel(false);
      boolean sent = sender.result();
      assertThat(cancelled).isNotEqualTo(sent);
      if (sent) {
        assertThat(receive.join()).isEqualTo(1);
      }
      assertThat(channel.waitingReceivers()).isZero();
    }
  }

  @Test
  void manyAtOnceKeepTheOrder() throws Exception {
    for (Channel<Integer> channel : List.of(Channel.<Integer>rendezvous(), Channel.<Integer>buffered(3))) {
      List<CompletableFuture<Void>> sends = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        sends.add(channel.sendAsync(i));
      }
      for (int i = 0; i < 100; i += 3) {
        if (!sends.get(i).isDone()) {
          sends.get(i).cancel(true);
        }
      }
      List<Integer> received = new ArrayList<>(channel.receiveMany(Integer.MAX_VALUE));
      assertThat(received).isSorted();
      for (int i = 0; i < 100; i++) {
        assertThat(received.contains(i)).isEqualTo(!sends.get(i).isCancelled());
      }
      Step nothingLeft = () -> assertThat(channel.waitingSenders() + channel.size()).isZero();
      nothingLeft.run();
    }
  }
}

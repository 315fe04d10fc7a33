// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.channel.Broadcast;
import dev.baton.channel.Heard;
import dev.baton.channel.LaggedException;
import dev.baton.channel.Published;
import dev.baton.channel.Received;
import dev.baton.channel.Subscription;
import dev.baton.channel.Watch;
import dev.baton.channel.Watcher;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Broadcasts and watches among threads that are interrupted at random, come late and leave early. */
class BroadcastStressTest {

  /** A value: who has sent it, and how many that one had sent before. */
  private record Item(int sender, int number) {}

  @Test
  void nothingIsMissedOnVirtualThreads() {
    tell(Crowd.ofVirtualThreads(), 60, Broadcast.buffered(3), false);
  }

  @Test
  void nothingIsMissedOnPlatformThreads() {
    tell(Crowd.ofPlatformThreads(), 12, Broadcast.buffered(3), false);
  }

  @Test
  void whatIsMissedIsCountedOnVirtualThreads() {
    tell(Crowd.ofVirtualThreads(), 60, Broadcast.lagging(3), true);
  }

  @Test
  void whatIsMissedIsCountedOnPlatformThreads() {
    tell(Crowd.ofPlatformThreads(), 12, Broadcast.lagging(3), true);
  }

  /** One in three sends; the others subscribe, listen for a while and leave. */
  private static void tell(Crowd crowd, int size, Broadcast<Item> broadcast, boolean lags) {
    // Each is used by its own thread only.
    int[] sent = new int[size];
    crowd.runFor(
        size,
        Duration.ofMillis(Effort.of(1_000, 60_000)),
        (thread, random) -> {
          if (thread % 3 == 0) {
            if (send(broadcast, new Item(thread, sent[thread]), random)) {
              sent[thread]++;
            }
          } else {
            try (Subscription<Item> subscription = broadcast.subscribe()) {
              listen(subscription, size, lags, random);
            }
          }
        });
    crowd.requireSoon(
        () ->
            broadcast.size() == 0
                && broadcast.subscribers() == 0
                && broadcast.waitingSenders() == 0
                && broadcast.waitingReceivers() == 0,
        () -> broadcast);
  }

  /** Whether it was sent; an interrupt says that it was not. */
  private static boolean send(Broadcast<Item> broadcast, Item item, SplittableRandom random) throws InterruptedException {
    Duration soon = Duration.ofNanos(random.nextInt(200_000));
    switch (random.nextInt(3)) {
      case 0 -> {
        return broadcast.trySend(item) instanceof Published.Ok<Item>;
      }
      case 1 -> {
        return broadcast.trySend(item, soon).isOk();
      }
      default -> {
        CompletableFuture<Integer> future = broadcast.sendAsync(item, soon);
        if (random.nextBoolean() && future.cancel(false)) {
          return false;
        }
        try {
          return future.join() > 0;
        } catch (CompletionException e) {
          // Not in time, or nobody there.
          return false;
        }
      }
    }
  }

  /** Of each sender, one after the other; with gaps only where a lag was told. */
  private static void listen(Subscription<Item> subscription, int size, boolean lags, SplittableRandom random)
      throws InterruptedException {
    int[] next = new int[size];
    long gaps = 0;
    long missed = 0;
    for (int i = random.nextInt(50); i > 0; i--) {
      switch (receive(subscription, random)) {
        case Heard.Value<Item>(Item item) -> {
          int expected = next[item.sender];
          // The first of each sender may be any.
          if (expected > 0) {
            if (item.number < expected) {
              throw new AssertionError(item + " after " + (expected - 1));
            }
            gaps += item.number - expected;
          }
          next[item.sender] = item.number + 1;
          if (gaps > missed) {
            throw new AssertionError(gaps + " are not there, but only " + missed + " were told as missed");
          }
        }
        case Heard.Lagged<Item>(long more) -> {
          if (!lags) {
            throw new AssertionError("missed " + more + " of " + subscription);
          }
          missed += more;
        }
        default -> {}
      }
    }
  }

  private static Heard<Item> receive(Subscription<Item> subscription, SplittableRandom random) throws InterruptedException {
    Duration soon = Duration.ofNanos(random.nextInt(200_000));
    if (random.nextInt(4) > 0) {
      return random.nextBoolean() ? subscription.tryReceive() : subscription.tryReceive(soon);
    }
    CompletableFuture<Item> future = subscription.receiveAsync(soon);
    if (random.nextBoolean() && future.cancel(false)) {
      return new Heard.Empty<>();
    }
    try {
      return new Heard.Value<>(future.join());
    } catch (CompletionException e) {
      return switch (e.getCause()) {
        case LaggedException lag -> new Heard.Lagged<>(lag.missed());
        case TimeoutException late -> new Heard.Empty<>();
        case null, default -> throw new AssertionError(e);
      };
    }
  }

  @Test
  void theLatestValueIsSeenOnVirtualThreads() {
    watch(Crowd.ofVirtualThreads(), 60);
  }

  @Test
  void theLatestValueIsSeenOnPlatformThreads() {
    watch(Crowd.ofPlatformThreads(), 12);
  }

  /** All add one, so many times; the watchers see it rise, and wait without a deadline until all have come. */
  private static void watch(Crowd crowd, int size) {
    Watch<Integer> watch = Watch.of(0);
    int rounds = Effort.of(300, 10_000);
    int all = (size + 1) / 2 * rounds;
    int[] done = new int[size];
    crowd.runFor(
        size,
        Duration.ofMillis(Effort.of(1_000, 60_000)),
        (thread, random) -> {
          if (thread % 2 == 0) {
            if (done[thread] < rounds) {
              watch.update(value -> value + 1);
              done[thread]++;
            }
          } else {
            Watcher<Integer> watcher = watch.subscribe();
            int last = watcher.get();
            for (int i = random.nextInt(20); i > 0; i--) {
              if (watcher.tryChanged(Duration.ofNanos(random.nextInt(200_000))) instanceof Received.Value<Integer>(Integer value)) {
                if (value < last) {
                  throw new AssertionError(value + " after " + last);
                }
                last = value;
              }
            }
            int wanted = Math.min(all, last + random.nextInt(3));
            if (watcher.tryWaitFor(value -> value >= wanted, Duration.ofMillis(1)) instanceof Received.Value<Integer>(Integer value)
                && value < wanted) {
              throw new AssertionError(value + " does not satisfy " + wanted);
            }
          }
        });
    int expected = 0;
    for (int count : done) {
      expected += count;
    }
    int sum = expected;
    crowd.requireSoon(() -> watch.get() == sum && watch.waiting() == 0, () -> watch.get() + " instead of " + sum + ", " + watch);
  }
}

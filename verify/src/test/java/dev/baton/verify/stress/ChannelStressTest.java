// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Channel;
import dev.baton.channel.ChannelClosedException;
import dev.baton.channel.Select;
import dev.baton.sync.Event;
import dev.baton.sync.Permit;
import dev.baton.sync.Promise;
import dev.baton.sync.Semaphore;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Channels and selects among threads that interrupt each other. */
class ChannelStressTest {
  private static final Duration SOON = Duration.ofNanos(200_000);

  @Test
  void nothingIsLostDoubledOrReordered() {
    new Traffic(Crowd.ofVirtualThreads()).run();
    new Traffic(Crowd.ofPlatformThreads()).run();
  }

  /** Half of the threads send, half receive, over three channels and a semaphore. */
  private static final class Traffic {
    private static final int THREADS = 8;
    private static final int SHIFT = 40;

    private final Crowd crowd;
    private final List<Channel<Long>> channels =
        List.of(Channel.rendezvous(), Channel.buffered(1), Channel.buffered(5));
    private final Semaphore semaphore = Semaphore.of(3);
    private final AtomicInteger inUse = new AtomicInteger();

    // Each written by one thread only.
    private final long[] next = new long[THREADS];
    private final List<List<Long>> sent = lists();
    private final List<List<Long>> received = lists();

    Traffic(Crowd crowd) {
      this.crowd = crowd;
    }

    private static List<List<Long>> lists() {
      return IntStream.range(0, THREADS).<List<Long>>mapToObj(i -> new ArrayList<>()).toList();
    }

    void run() {
      crowd.runFor(
          THREADS,
          Duration.ofMillis(Effort.of(1_000, 60_000)),
          (thread, random) -> {
            if (thread % 2 == 0) {
              produce(thread, random);
            } else {
              consume(thread, random);
            }
          });
      List<Long> left = new ArrayList<>();
      for (Channel<Long> channel : channels) {
        while (channel.tryReceive().value().map(left::add).orElse(false)) {
          // all of it
        }
        assertThat(channel.waitingReceivers() + channel.waitingSenders() + channel.size()).isZero();
      }
      List<Long> all = Stream.concat(received.stream().flatMap(List::stream), left.stream()).sorted().toList();
      assertThat(all).isEqualTo(sent.stream().flatMap(List::stream).sorted().toList());
      assertThat(all).hasSizeGreaterThan(100);
      for (List<Long> mine : received) {
        requireInOrder(mine);
      }
      assertThat(semaphore.available()).isEqualTo(3);
      assertThat(semaphore.waiting()).isZero();
    }

    /** What one thread received of one other through one channel. */
    private void requireInOrder(List<Long> mine) {
      long[] last = new long[THREADS * channels.size()];
      for (long value : mine) {
        int line = (int) (value >>> SHIFT) * channels.size() + (int) (value % channels.size());
        if (value <= last[line]) {
          throw new AssertionError(value + " after " + last[line]);
        }
        last[line] = value;
      }
    }

    /** The channel is part of the value, so that the order can be seen afterwards. */
    private void produce(int thread, SplittableRandom random) throws InterruptedException {
      int index = random.nextInt(channels.size());
      Channel<Long> channel = channels.get(index);
      next[thread] += channels.size();
      long base = ((long) thread << SHIFT) + next[thread];
      base -= base % channels.size();
      long value = base + index;
      int other = (index + 1) % channels.size();
      long instead = base + other;
      switch (random.nextInt(5)) {
        case 0 -> note(thread, value, channel.trySend(value).isOk());
        case 1 -> note(thread, value, channel.trySend(value, SOON).isOk());
        case 2 -> {
          CompletableFuture<Void> future = channel.sendAsync(value);
          boolean sentIt = !future.cancel(true);
          if (sentIt) {
            future.join();
          }
          note(thread, value, sentIt);
        }
        default ->
            Select.of(
                    Select.send(channel, value, () -> note(thread, value, true)),
                    Select.send(channels.get(other), instead, () -> note(thread, instead, true)),
                    Select.permits(semaphore, 1 + random.nextInt(3), this::use),
                    Select.after(SOON, () -> false))
                .run();
      }
      Thread.interrupted();
    }

    private boolean note(int thread, long value, boolean ok) {
      return ok && sent.get(thread).add(value);
    }

    private boolean use(Permit permit) {
      long n = permit.count();
      if (inUse.addAndGet((int) n) > 3) {
        throw new AssertionError("Too many permits in use");
      }
      inUse.addAndGet((int) -n);
      permit.close();
      return false;
    }

    private void consume(int thread, SplittableRandom random) throws InterruptedException {
      List<Long> mine = received.get(thread);
      Channel<Long> channel = channels.get(random.nextInt(channels.size()));
      switch (random.nextInt(5)) {
        case 0 -> channel.tryReceive().value().ifPresent(mine::add);
        case 1 -> channel.tryReceive(SOON).value().ifPresent(mine::add);
        case 2 -> {
          CompletableFuture<Long> future = channel.receiveAsync();
          if (!future.cancel(true)) {
            mine.add(future.join());
          }
        }
        case 3 ->
            Select.of(
                    Select.receive(channel, mine::add),
                    Select.permit(semaphore, this::use),
                    Select.after(SOON, () -> false))
                .run();
        default ->
            Select.of(
                    Select.receive(channels.get(0), mine::add),
                    Select.receive(channels.get(1), mine::add),
                    Select.receive(channels.get(2), mine::add),
                    Select.after(SOON, () -> false))
                .run();
      }
      Thread.interrupted();
    }
  }

  @Test
  void aCloseLosesNothingAndLetsNobodyWaitOn() {
    for (int round = 0; round < Effort.of(200, 10_000); round++) {
      closeOnce(round % 2 == 0 ? Crowd.ofVirtualThreads() : Crowd.ofPlatformThreads(), round);
    }
  }

  private static void closeOnce(Crowd crowd, int round) {
    List<Integer> sent = Collections.synchronizedList(new ArrayList<>());
    List<Integer> received = Collections.synchronizedList(new ArrayList<>());
    Channel<Integer> channel = round % 3 == 0 ? Channel.rendezvous(received::add) : Channel.buffered(round % 3, received::add);
    Channel<Integer> never = Channel.rendezvous();
    AtomicInteger values = new AtomicInteger();
    crowd.runTimes(
        6,
        8,
        (thread, random) -> {
          try {
            int value = values.incrementAndGet();
            switch (thread) {
              case 0 -> {
                if (random.nextInt(4) == 0) {
                  channel.discard();
                  never.close();
                }
              }
              case 1 -> {
                channel.send(value);
                sent.add(value);
              }
              case 2 ->
                  Select.of(Select.send(channel, value, () -> sent.add(value)), Select.send(never, 0, () -> false)).run();
              case 3 -> received.add(channel.receive());
              case 4 -> channel.receiveMany(2).forEach(received::add);
              default -> Select.of(Select.receive(channel, received::add), Select.receive(never, v -> false)).run();
            }
          } catch (ChannelClosedException e) {
            // The value stays here.
          }
          Thread.interrupted();
        });
    channel.discard();
    never.close();
    assertThat(received.stream().sorted().toList()).isEqualTo(sent.stream().sorted().toList());
    assertThat(channel.waitingReceivers() + channel.waitingSenders()).isZero();
    assertThat(never.waitingReceivers() + never.waitingSenders()).isZero();
  }

  @Test
  void aMillionSelectsAgainstWhatIsIdleLeaveNothingBehind() throws InterruptedException {
    Channel<Integer> channel = Channel.rendezvous();
    Channel<Integer> full = Channel.buffered(1);
    full.trySend(0);
    Semaphore semaphore = Semaphore.of(1);
    assertThat(semaphore.tryAcquire()).isTrue();
    Event event = new Event();
    Promise<Integer> promise = new Promise<>();
    CompletableFuture<Integer> future = new CompletableFuture<>();
    int runs = Effort.of(100_000, 1_000_000);
    select(runs / 10, channel, full, semaphore, event, promise, future);
    long before = usedAfterCollection();
    select(runs, channel, full, semaphore, event, promise, future);
    assertThat(channel.waitingReceivers() + full.waitingSenders() + semaphore.waiting() + event.waiting()).isZero();
    assertThat(future.getNumberOfDependents()).isZero();
    long after = usedAfterCollection();
    assertThat(after - before).as("bytes more than before").isLessThan(2_000_000);
  }

  private static void select(
      int runs,
      Channel<Integer> channel,
      Channel<Integer> full,
      Semaphore semaphore,
      Event event,
      Promise<Integer> promise,
      CompletableFuture<Integer> future)
      throws InterruptedException {
    for (int i = 0; i < runs; i++) {
      boolean served =
          Select.of(
                  Select.receive(channel, v -> true),
                  Select.send(full, 1, () -> true),
                  Select.permit(semaphore, p -> true),
                  Select.event(event, () -> true),
                  Select.done(promise.future(), r -> true),
                  Select.stage(future, r -> true),
                  // It stands in all lines, and leaves them at once.
                  Select.after(Duration.ofNanos(1), () -> false))
              .run();
      if (served) {
        throw new AssertionError("Nothing was ready");
      }
    }
  }

  private static long usedAfterCollection() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc(); // returns when it is done
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}

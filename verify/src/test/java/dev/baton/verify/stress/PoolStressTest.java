// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Select;
import dev.baton.pattern.BatchQueue;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import dev.baton.sync.ClosedException;
import dev.baton.sync.Semaphore;
import dev.baton.verify.Effort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pools and queues among threads that interrupt each other. */
class PoolStressTest {
  private static final Duration SOON = Duration.ofNanos(200_000);
  private static final int THREADS = 8;

  // ---- a pool ----

  @Test
  void aPoolNeverExceedsItsLimitAndStrandsNobody() {
    new Lending(Crowd.ofVirtualThreads()).run();
    new Lending(Crowd.ofPlatformThreads()).run();
  }

  /** A pool whose factory, check and destroyer fail now and then, and whose resources grow old while it runs. */
  private static final class Lending {
    private static final int LIMIT = 3;

    private final Crowd crowd;
    private final AtomicInteger live = new AtomicInteger();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger reported = new AtomicInteger();
    private final AtomicInteger borrows = new AtomicInteger();
    private final Pool<Thing> pool =
        Pool.builder(LIMIT, this::make)
            .destroyer(this::destroy)
            .healthCheck(this::isHealthy)
            .maxIdle(SOON)
            .onFailure(failure -> reported.incrementAndGet())
            .build();

    private static final class Thing {
      final AtomicInteger users = new AtomicInteger();
      int uses;
    }

    Lending(Crowd crowd) {
      this.crowd = crowd;
    }

    private Thing make() {
      if (live.incrementAndGet() > LIMIT) {
        throw new AssertionError("More than " + LIMIT + " exist");
      }
      if (attempts.incrementAndGet() % 7 == 0) {
        live.decrementAndGet();
        throw new IllegalStateException("cannot be made");
      }
      return new Thing();
    }

    private boolean isHealthy(Thing thing) {
      use(thing);
      if (thing.uses % 11 == 0) {
        throw new IllegalStateException("cannot be asked");
      }
      return thing.uses % 5 != 0;
    }

    private void destroy(Thing thing) {
      if (thing.users.getAndSet(-1_000_000) != 0) {
        throw new AssertionError("Destroyed while in use, or twice");
      }
      live.decrementAndGet();
      if (attempts.get() % 3 == 0) {
        throw new IllegalStateException("resists");
      }
    }

    private static void use(Thing thing) {
      if (thing.users.incrementAndGet() != 1) {
        throw new AssertionError("Used by two, or after its end");
      }
      thing.uses++;
      thing.users.decrementAndGet();
    }

    void run() {
      crowd.runFor(THREADS, Duration.ofMillis(Effort.of(1_500, 60_000)), this::borrow);
      crowd.requireSoon(
          () -> pool.stats().borrowed() + pool.stats().inTransit() + pool.stats().waiting() == 0, pool::stats);
      assertThat(borrows.get()).isGreaterThan(100);
      pool.close();
      crowd.requireSoon(() -> pool.stats().live() == 0, pool::stats);
      assertThat(live.get()).isZero();
      Pool.Stats end = pool.stats();
      assertThat(end.created()).isEqualTo(end.destroyed() + end.hijacked());
      assertThat(reported.get()).isPositive();
    }

    private void borrow(int thread, SplittableRandom random) throws InterruptedException {
      Optional<Borrowed<Thing>> mine;
      try {
        mine =
            switch (random.nextInt(6)) {
              case 0 -> pool.tryAcquire();
              case 1 -> pool.tryAcquire(SOON);
              case 2 -> {
                CompletableFuture<Borrowed<Thing>> future = pool.acquireAsync();
                yield future.cancel(true) || future.isCompletedExceptionally() ? Optional.empty() : Optional.of(future.join());
              }
              case 3 -> {
                CompletableFuture<Borrowed<Thing>> future = pool.acquireAsync(SOON);
                yield Optional.ofNullable(future.handle((borrowed, failure) -> borrowed).join());
              }
              case 4 ->
                  Select.<Optional<Borrowed<Thing>>>of(
                          Select.borrow(pool, Optional::of), Select.after(SOON, Optional::empty))
                      .run();
              default -> Optional.of(pool.acquire());
            };
      } catch (IllegalStateException cannotBeMade) {
        return;
      }
      mine.ifPresent(
          borrowed -> {
            borrows.incrementAndGet();
            use(borrowed.get());
            switch (random.nextInt(8)) {
              case 0 -> borrowed.evict();
              case 1 -> {
                // It counts no more for the pool, so it must not count here either before its slot is free.
                live.decrementAndGet();
                borrowed.hijack();
              }
              default -> borrowed.close();
            }
          });
      Thread.interrupted();
    }
  }

  @Test
  void aPoolThatIsClosedInTheMiddleDestroysAll() {
    for (int round = 0; round < Effort.of(150, 5_000); round++) {
      closeOnce(round % 2 == 0 ? Crowd.ofVirtualThreads() : Crowd.ofPlatformThreads());
    }
  }

  private static void closeOnce(Crowd crowd) {
    AtomicInteger live = new AtomicInteger();
    Pool<AtomicInteger> pool =
        Pool.builder(
                2,
                () -> {
                  live.incrementAndGet();
                  return new AtomicInteger();
                })
            .destroyer(thing -> live.decrementAndGet())
            .healthCheck(thing -> thing.incrementAndGet() % 4 != 0)
            .build();
    crowd.runTimes(
        5,
        10,
        (thread, random) -> {
          try {
            if (thread == 0 && random.nextInt(8) == 0) {
              pool.close();
            }
            switch (thread) {
              case 1 -> {
                CompletableFuture<Borrowed<AtomicInteger>> future = pool.acquireAsync();
                if (!future.cancel(false) && !future.isCompletedExceptionally()) {
                  future.join().close();
                }
              }
              case 2 -> Select.<Boolean>of(Select.borrow(pool, PoolStressTest::giveBack)).run();
              default -> giveBack(pool.acquire());
            }
          } catch (ClosedException e) {
            // It is over.
          }
          Thread.interrupted();
        });
    pool.close();
    crowd.requireSoon(() -> live.get() == 0 && pool.stats().live() == 0 && pool.waiting() == 0, pool::stats);
  }

  private static boolean giveBack(Borrowed<?> borrowed) {
    borrowed.close();
    return true;
  }

  // ---- a queue ----

  @Test
  void aQueueLosesDoublesAndReordersNothing() {
    new Batches(Crowd.ofVirtualThreads()).run();
    new Batches(Crowd.ofPlatformThreads()).run();
  }

  /** Half of the threads put, half get some number, and many give up. */
  private static final class Batches {
    private static final int SHIFT = 40;

    private final Crowd crowd;
    private final BatchQueue<Long> queue = new BatchQueue<>();

    /** How far those who put may be ahead of those who get. */
    private final Semaphore ahead = Semaphore.of(1_000);

    // Each written by one thread only.
    private final long[] next = new long[THREADS];
    private final List<List<Long>> got = IntStream.range(0, THREADS).<List<Long>>mapToObj(i -> new ArrayList<>()).toList();

    Batches(Crowd crowd) {
      this.crowd = crowd;
    }

    void run() {
      crowd.runFor(
          THREADS,
          Duration.ofMillis(Effort.of(1_000, 60_000)),
          (thread, random) -> {
            if (thread % 2 == 0) {
              put(thread, random);
            } else {
              get(got.get(thread), random);
            }
            Thread.interrupted();
          });
      assertThat(queue.waiting()).isZero();
      List<Long> left = queue.closeAndDrain();
      List<Long> all = Stream.concat(got.stream().flatMap(List::stream), left.stream()).sorted().toList();
      List<Long> put = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread += 2) {
        for (long i = 0; i < next[thread]; i++) {
          put.add(((long) thread << SHIFT) + i);
        }
      }
      assertThat(all).isEqualTo(put);
      assertThat(all).hasSizeGreaterThan(100);
      for (List<Long> mine : got) {
        long[] last = new long[THREADS];
        for (long item : mine) {
          int thread = (int) (item >>> SHIFT);
          long number = (item & ((1L << SHIFT) - 1)) + 1;
          assertThat(number).isGreaterThan(last[thread]);
          last[thread] = number;
        }
      }
    }

    private void put(int thread, SplittableRandom random) throws InterruptedException {
      long first = ((long) thread << SHIFT) + next[thread];
      int count = 1 + random.nextInt(4);
      if (!ahead.tryAcquire(count, SOON)) {
        return;
      }
      if (count == 1) {
        queue.put(first);
      } else {
        queue.putAll(IntStream.range(0, count).mapToObj(i -> first + i).toList());
      }
      next[thread] += count;
    }

    private void get(List<Long> mine, SplittableRandom random) throws InterruptedException {
      int before = mine.size();
      try {
        getSome(mine, random);
      } finally {
        ahead.release(mine.size() - before);
      }
    }

    private void getSome(List<Long> mine, SplittableRandom random) throws InterruptedException {
      int n = random.nextInt(10) == 0 ? 100 : 1 + random.nextInt(5);
      switch (random.nextInt(6)) {
        case 0 -> queue.tryGetMany(n).ifPresent(mine::addAll);
        case 1 -> queue.tryGetMany(n, SOON).ifPresent(mine::addAll);
        case 2 -> {
          CompletableFuture<List<Long>> future = queue.getManyAsync(n);
          if (!future.cancel(true)) {
            mine.addAll(future.join());
          }
        }
        case 3 -> queue.tryGet(SOON).value().ifPresent(mine::add);
        case 4 ->
            Select.<Boolean>of(Select.getMany(queue, n, mine::addAll), Select.after(SOON, () -> false)).run();
        default -> mine.addAll(getOrGiveUp(n));
      }
    }

    private List<Long> getOrGiveUp(int n) throws InterruptedException {
      // Interrupts come by themselves, and the time-out keeps the last ones from waiting for ever.
      return queue.tryGetMany(n, SOON.multipliedBy(5)).orElse(List.of());
    }
  }

  @Test
  void aQueueThatIsClosedInTheMiddleGivesAllItHas() {
    for (int round = 0; round < Effort.of(200, 10_000); round++) {
      Crowd crowd = round % 2 == 0 ? Crowd.ofVirtualThreads() : Crowd.ofPlatformThreads();
      List<Integer> put = Collections.synchronizedList(new ArrayList<>());
      List<Integer> got = Collections.synchronizedList(new ArrayList<>());
      BatchQueue<Integer> queue = new BatchQueue<>(got::add);
      AtomicInteger values = new AtomicInteger();
      crowd.runTimes(
          6,
          8,
          (thread, random) -> {
            switch (thread) {
              case 0 -> {
                if (random.nextInt(4) == 0) {
                  got.addAll(queue.closeAndDrain());
                }
              }
              case 1, 2 -> {
                int value = values.incrementAndGet();
                if (queue.tryPut(value)) {
                  put.add(value);
                }
              }
              case 3 -> queue.tryGetMany(2, SOON).ifPresent(got::addAll);
              case 4 -> got.addAll(queue.getManyAsync(3, SOON).handle((items, failure) -> items == null ? List.<Integer>of() : items).join());
              default ->
                  Select.<Boolean>of(Select.getMany(queue, 2, got::addAll), Select.after(SOON, () -> false)).run();
            }
            Thread.interrupted();
          });
      got.addAll(queue.closeAndDrain());
      assertThat(got.stream().sorted().toList()).isEqualTo(put.stream().sorted().toList());
      assertThat(queue.waiting()).isZero();
    }
  }
}

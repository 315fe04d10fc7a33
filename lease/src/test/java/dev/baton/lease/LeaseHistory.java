// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Mutex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Uses leases at random from many tasks, writes down what was seen from outside, and checks that against what is promised: capacity, slots,
 * order, tokens, conservation, and that everything comes to an end. Knows nothing of stores, and runs in any world.
 */
public final class LeaseHistory {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Leases leases;
  private final LeaseSemaphore semaphore;
  private final int limit;
  private final long seed;
  private final Duration step;
  private final boolean revoking;

  /** A count that everybody shares: what happened before has the smaller number. */
  private final AtomicLong clock = new AtomicLong();

  private final List<Held> history = Collections.synchronizedList(new ArrayList<>());

  /** Guards the order in which those of the line have asked. */
  private final Mutex line = new Mutex();

  private long asked;

  /**
   * What one lease looked like from outside.
   *
   * @param turn its number among those who asked one after the other; 0 if it asked at any time
   * @param invoked before it was asked for
   * @param from after it was granted
   * @param to before it was released, or when it was last seen to be valid
   */
  private record Held(Lease lease, long turn, long invoked, long from, long to) {}

  /**
   * A run on a new name of {@code leases}; {@code step} is about how long things take in it. With {@code revoking}, holders must be told of
   * that before anybody else is served, which a store elsewhere cannot do.
   */
  public LeaseHistory(Leases leases, String name, int limit, long seed, Duration step, boolean revoking) {
    this.leases = leases;
    this.semaphore = leases.semaphore(name, limit).idleTtl(Duration.ofDays(1));
    this.limit = limit;
    this.seed = seed;
    this.step = step;
    this.revoking = revoking;
  }

  /** Runs so many tasks of so many operations each, and checks what they saw. */
  public void run(int tasks, int operations) throws Exception {
    play(tasks, operations);
    judge();
  }

  /** Runs so many tasks of so many operations each. */
  public void play(int tasks, int operations) throws Exception {
    Scope.run(
        scope -> {
          for (int t = 0; t < tasks; t++) {
            Random random = new Random(seed * 1_000 + t);
            scope.fork(
                () -> {
                  for (int i = 0; i < operations; i++) {
                    operate(random);
                  }
                  return null;
                });
          }
          scope.join();
        });
  }

  /** Checks what they saw. Nobody else may use the name any more. */
  public void judge() throws InterruptedException {
    awaitQuiet();
    check();
  }

  // ---- what tasks do ----

  private void operate(Random random) throws Exception {
    int permits = random.nextInt(4) == 0 ? 1 + random.nextInt(limit) : 1;
    LeaseSemaphore handle = random.nextInt(3) == 0 ? semaphore.ttl(some(random, 4).plusMillis(2)) : semaphore;
    switch (random.nextInt(8)) {
      case 0 -> {
        long invoked = clock.incrementAndGet();
        handle.tryAcquire(permits).ifPresent(lease -> use(lease, 0, invoked, random));
      }
      case 1 -> {
        long invoked = clock.incrementAndGet();
        handle.tryAcquire(permits, some(random, 2)).ifPresent(lease -> use(lease, 0, invoked, random));
      }
      case 2 -> {
        long invoked = clock.incrementAndGet();
        CompletableFuture<Lease> future = handle.acquireAsync(permits);
        Time.sleep(some(random, 1));
        if (!future.cancel(false) && !future.isCompletedExceptionally()) {
          use(future.join(), 0, invoked, random);
        }
      }
      case 3 -> {
        for (LeaseHolder holder : semaphore.holders()) {
          if (revoking && random.nextInt(20) == 0) {
            semaphore.revoke(holder.id());
          }
        }
      }
      default -> inLine(handle, permits, random);
    }
  }

  /** Asks after all who asked like this before, so that the order is known from outside. */
  private void inLine(LeaseSemaphore handle, int permits, Random random) throws Exception {
    CompletableFuture<Lease> future;
    long turn;
    long invoked = clock.incrementAndGet();
    try (var _ = line.guard()) {
      turn = ++asked;
      future = handle.acquireAsync(permits, random.nextInt(6) == 0 ? some(random, 3) : PATIENCE);
    }
    try {
      use(future.get(), turn, invoked, random);
    } catch (ExecutionException failed) {
      assertThat(failed.getCause()).isInstanceOf(TimeoutException.class);
    }
  }

  private void use(Lease lease, long turn, long invoked, Random random) {
    long from = clock.incrementAndGet();
    long to = from;
    assertThat(lease.slotNumber()).isPositive();
    try {
      Time.sleep(some(random, 1));
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts", e);
    }
    long last = clock.incrementAndGet();
    if (lease.isValid()) {
      to = last;
    }
    ReleaseResult result = random.nextBoolean() ? lease.release() : semaphore.release(lease.id());
    if (result == ReleaseResult.RELEASED) {
      assertThat(lease.lost()).isEmpty();
      assertThat(semaphore.release(lease.id())).isEqualTo(ReleaseResult.UNKNOWN);
    }
    history.add(new Held(lease, turn, invoked, from, to));
  }

  private Duration some(Random random, int factor) {
    return Duration.ofNanos((long) (random.nextDouble() * factor * step.toNanos()));
  }

  // ---- what must be true ----

  private void awaitQuiet() throws InterruptedException {
    Instant end = Time.now().plus(PATIENCE);
    while (semaphore.stats().holders() > 0 || semaphore.stats().waiting() > 0) {
      assertThat(Time.now()).as("what is left: %s %s", semaphore.holders(), semaphore.waiters()).isBefore(end);
      Time.sleep(step);
    }
  }

  private void check() {
    String run = "seed " + seed + ", " + history.size() + " leases";
    assertThat(history).as(run).isNotEmpty();
    checkCapacity(run);
    checkTokens(run);
    LeaseStats stats = semaphore.stats();
    assertThat(stats.granted()).as(run).isEqualTo(stats.released() + stats.expired() + stats.revoked());
    assertThat(stats.granted()).as(run).isGreaterThanOrEqualTo(history.size());
    assertThat(stats.acquired()).as(run).isZero();
    Lease all = semaphore.tryAcquire(limit).orElseThrow();
    assertThat(all.slotNumber()).as(run).isEqualTo(1);
    all.close();
  }

  /** Sweeps over the times at which leases were seen to be valid: never too many, never two in one slot. */
  private void checkCapacity(String run) {
    record Edge(long time, boolean begins, Held held) {}
    List<Edge> edges = new ArrayList<>();
    for (Held held : history) {
      if (held.to > held.from) {
        edges.add(new Edge(held.from, true, held));
        edges.add(new Edge(held.to, false, held));
      }
    }
    edges.sort(Comparator.comparingLong(Edge::time));
    int used = 0;
    Set<Integer> slots = new HashSet<>();
    for (Edge edge : edges) {
      Lease lease = edge.held.lease;
      if (edge.begins) {
        used += lease.permits();
        assertThat(slots.add(lease.slotNumber())).as("%s: slot %s is had by one only", run, lease.slotNumber()).isTrue();
      } else {
        used -= lease.permits();
        slots.remove(lease.slotNumber());
      }
      assertThat(used).as("%s: permits held at once", run).isLessThanOrEqualTo(limit);
    }
  }

  /** One that was granted before another asked has the smaller token, and so has one that asked before another in line. */
  private void checkTokens(String run) {
    List<Held> byToken = new ArrayList<>(history);
    byToken.sort(Comparator.comparingLong(held -> held.lease.fencingToken()));
    long latestInvoked = 0;
    long latestTurn = 0;
    long before = 0;
    for (Held held : byToken) {
      long token = held.lease.fencingToken();
      assertThat(token).as("%s: tokens are unique", run).isGreaterThan(before);
      before = token;
      assertThat(held.from).as("%s: token %s is not smaller than that of a later grant", run, token).isGreaterThan(latestInvoked);
      latestInvoked = Math.max(latestInvoked, held.invoked);
      if (held.turn > 0) {
        assertThat(held.turn).as("%s: those in line are served in order", run).isGreaterThan(latestTurn);
        latestTurn = held.turn;
      }
    }
  }

  @Override
  public String toString() {
    return "LeaseHistory[" + leases + ", seed " + seed + "]";
  }
}

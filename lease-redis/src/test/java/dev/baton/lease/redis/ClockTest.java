// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.LossReason;
import dev.baton.lease.ReleaseResult;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Clocks that are wrong: those of clients do not matter, and that of the server may be set back. */
@SuppressWarnings("NullAway.Init")
class ClockTest {
  private static final Duration WINDOW = Duration.ofSeconds(2);

  /** Which word of what the script writes down about a name is the time. */
  private static final int TIME = 6;

  @AutoClose private static final TestServer server = new TestServer();
  private final World world = Worlds.VIRTUAL.create();

  /** What {@code body} does as a task of {@code host}. */
  private static <T> CompletableFuture<T> on(Host host, Callable<T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.startVirtualThread(
        () ->
            Hosts.runOn(
                host,
                () -> {
                  try {
                    result.complete(body.call());
                  } catch (Throwable failure) {
                    result.completeExceptionally(failure);
                  }
                }));
    return result;
  }

  @Test
  void lease49_clientsWhoseClocksAreTwentyMinutesApartShareOneOrderAndOneLimit() throws Exception {
    List<Host> hosts = List.of(ShiftedHost.by(Duration.ofMinutes(-10)), ShiftedHost.by(Duration.ofMinutes(10)));
    List<Leases> leases = new ArrayList<>();
    for (Host host : hosts) {
      leases.add(on(host, () -> RedisLeases.connect(server.uri())).join());
    }
    LeaseSemaphore seen = leases.get(0).semaphore("clocks", 1);
    Lease first = on(hosts.get(0), () -> leases.get(0).semaphore("clocks", 1).acquire()).join();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int who = (i + 1) % 2;
      int waiting = i + 1;
      waiters.add(on(hosts.get(who), () -> leases.get(who).semaphore("clocks", 1).window(WINDOW).acquire(Duration.ofMinutes(1))));
      Eventually.holds(world, () -> seen.stats().waiting() == waiting);
    }
    first.close();
    long token = first.fencingToken();
    for (CompletableFuture<Lease> waiter : waiters) {
      Lease lease = waiter.join();
      assertThat(seen.stats().acquired()).isEqualTo(1);
      assertThat(lease.isValid()).isTrue();
      assertThat(lease.fencingToken()).as("in the order in which they came").isGreaterThan(token);
      token = lease.fencingToken();
      lease.close();
    }
    for (int who = 0; who < 2; who++) {
      int one = who;
      Lease brief = on(hosts.get(one), () -> leases.get(one).semaphore("clocks", 1).ttl(Duration.ofSeconds(1)).acquire()).join();
      long start = System.nanoTime();
      assertThat(brief.isValid()).isTrue();
      CompletableFuture<LossReason> lost = new CompletableFuture<>();
      brief.onLost(lost::complete);
      assertThat(lost.join()).isEqualTo(LossReason.EXPIRED);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
      Eventually.holds(world, () -> seen.stats().holders() == 0);
    }
    leases.forEach(Leases::close);
  }

  @Test
  void whoNamesALeaseWhoseTimeIsOverFindsItLostEvenIfNobodyHasLookedYet() throws Exception {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    Host host = ShiftedHost.by(ahead::get);
    try (Leases leases = RedisLeases.connect(server.uri())) {
      LeaseSemaphore semaphore = leases.semaphore("unseen", 2).ttl(Duration.ofMinutes(10));
      Lease released = on(host, () -> semaphore.acquire()).join();
      Lease revoked = on(host, () -> semaphore.acquire()).join();
      CompletableFuture<LossReason> told = new CompletableFuture<>();
      revoked.onLost(told::complete);
      ahead.set(Duration.ofHours(1));
      assertThat(semaphore.release(released.id())).isEqualTo(ReleaseResult.EXPIRED);
      assertThat(released.lost()).contains(LossReason.EXPIRED);
      assertThat(semaphore.revoke(revoked.id())).isFalse();
      assertThat(told.join()).isEqualTo(LossReason.EXPIRED);
    }
  }

  @Test
  void aLeaseThatWasOverBeforeItWasKnownToBeExtendedIsNotKeptForItsNewTime() throws Exception {
    AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    Host host = ShiftedHost.by(ahead::get);
    try (Proxy proxy = new Proxy(server.port());
        Leases far = RedisLeases.builder().uri(proxy.uri()).commandTimeout(Duration.ofMinutes(1)).connect();
        Leases near = RedisLeases.connect(server.uri())) {
      LeaseSemaphore semaphore = far.semaphore("late", 1).ttl(Duration.ofMinutes(1)).window(Duration.ofMinutes(10));
      LeaseSemaphore seen = near.semaphore("late", 1);
      Lease lease = on(host, () -> semaphore.acquire()).join();
      proxy.keepBack(Proxy.REQUESTS);
      CompletableFuture<Boolean> extended = on(host, () -> lease.extend(Duration.ofMinutes(30)));
      Eventually.holds(world, () -> seen.holders().getFirst().remaining().toMinutes() > 20);
      ahead.set(Duration.ofMinutes(5));
      assertThat(lease.lost()).contains(LossReason.EXPIRED);
      proxy.deliver();
      assertThat(extended.join()).isFalse();
      Eventually.holds(world, () -> seen.stats().holders() == 0);
      assertThat(seen.tryAcquire()).hasValueSatisfying(Lease::close);
    }
  }

  @Test
  void lease81_aServerWhoseClockIsSetBackEndsNothingEarlyAndKeepsNothingUntilItHasCaughtUp() throws Exception {
    try (Proxy proxy = new Proxy(server.port());
        Leases far = RedisLeases.builder().uri(proxy.uri()).commandTimeout(Duration.ofMillis(500)).connect();
        Leases near = RedisLeases.connect(server.uri())) {
      LeaseSemaphore semaphore = near.semaphore("back", 2).window(WINDOW);
      Lease dies = far.semaphore("back", 2).window(WINDOW).acquire();
      Lease lives = semaphore.acquire();
      // So it looks to the script after a step back by an hour.
      long hour = Duration.ofHours(1).toMillis();
      List<String> state = new ArrayList<>(List.of(server.admin().hget("baton:{back}:cfg", "state").split(" ", -1)));
      state.set(TIME, Long.toString(Long.parseLong(state.get(TIME)) + hour));
      server.admin().hset("baton:{back}:cfg", "state", String.join(" ", state));
      for (String id : List.of(dies.id(), lives.id())) {
        server.admin().zincrby("baton:{back}:hold", (double) hour, id);
      }
      assertThat(semaphore.stats().holders()).as("nothing ends early").isEqualTo(2);
      Actor<Lease> waiter = world.call("waiter", () -> semaphore.acquire());
      Eventually.holds(world, () -> semaphore.stats().waiting() == 1);
      proxy.cut();
      long start = System.nanoTime();
      Lease next = waiter.result();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).as("no hour is waited for").isLessThan(Duration.ofSeconds(10));
      assertThat(dies.isValid()).isFalse();
      assertThat(lives.isValid()).isTrue();
      assertThat(next.fencingToken()).isGreaterThan(lives.fencingToken());
      assertThat(semaphore.ttl(Duration.ofMillis(200)).stats().expired()).isEqualTo(1);
      lives.close();
      next.close();
      assertThat(server.keysInUse()).isEmpty();
    }
  }
}

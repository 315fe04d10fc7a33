// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseHolder;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.Leases;
import dev.baton.lease.ReleaseResult;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lease that nobody competes for is kept in one place on the server. Whatever is done to it, it is like any other. */
@SuppressWarnings("NullAway.Init")
class SoloLeaseTest {
  private static final int STATE = 12;
  @AutoClose private static final TestServer server = new TestServer();
  private final World world = Worlds.VIRTUAL.create();
  private Leases here;
  private Leases there;
  private LeaseSemaphore door;
  private LeaseSemaphore sameDoor;

  @BeforeEach
  void connect() throws Exception {
    server.admin().flushall();
    here = RedisLeases.connect(server.uri());
    there = RedisLeases.connect(server.uri());
    door = here.semaphore("door", 2).ttl(Duration.ofMinutes(1)).label("a \"label\"\nof two lines");
    sameDoor = there.semaphore("door", 2);
    door.acquire().close(); // now the name is known
  }

  @AfterEach
  void close() {
    here.close();
    there.close();
    assertThat(server.keysInUse()).isEmpty();
    assertThat(isAlone()).isFalse();
  }

  /** Whether a lease stands behind the state of the name. */
  private static boolean isAlone() {
    return server.admin().hget("baton:{door}:cfg", "state").split(" ", -1).length > STATE;
  }

  private void assertAlone() {
    assertThat(server.keysInUse()).isEmpty();
    assertThat(isAlone()).isTrue();
  }

  private void assertCounts(int held, int granted, int released, int expired) {
    LeaseStats stats = door.stats();
    assertThat(stats.acquired()).isEqualTo(held);
    assertThat(stats.holders()).isEqualTo(held);
    assertThat(stats.granted()).isEqualTo(granted);
    assertThat(stats.released()).isEqualTo(released);
    assertThat(stats.expired()).isEqualTo(expired);
  }

  @Test
  void itStandsWithTheStateAndGoesWithoutATrace() throws Exception {
    Lease lease = door.acquire();
    assertAlone();
    assertThat(lease.slotNumber()).isEqualTo(1);
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(server.keysInUse()).isEmpty();
    Lease next = door.acquire();
    assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    next.close();
    assertCounts(0, 3, 3, 0);
  }

  @Test
  void itIsListedWithAllThatIsKnownOfIt() throws Exception {
    Lease lease = door.acquire();
    LeaseHolder holder = sameDoor.holders().getFirst();
    assertThat(holder.id()).isEqualTo(lease.id());
    assertThat(holder.label()).isEqualTo("a \"label\"\nof two lines");
    assertThat(holder.slots()).containsExactly(1);
    assertThat(holder.fencingToken()).isEqualTo(lease.fencingToken());
    assertThat(holder.remaining()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
    assertCounts(1, 2, 1, 0);
    lease.close();
    assertCounts(0, 2, 2, 0);
  }

  @Test
  void anotherOneStandsBesideItAndNobodyIsOvertaken() throws Exception {
    Lease first = door.acquire();
    Lease second = sameDoor.acquire();
    assertThat(second.slotNumber()).isEqualTo(2);
    assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    CompletableFuture<Lease> waiter = sameDoor.acquireAsync();
    Eventually.holds(world, () -> door.stats().waiting() == 1);
    assertThat(door.tryAcquire()).isEmpty();
    first.close();
    Lease third = waiter.get(5, TimeUnit.SECONDS);
    assertThat(third.slotNumber()).isEqualTo(1);
    second.close();
    third.close();
    Lease last = door.acquire();
    assertAlone();
    last.close();
  }

  @Test
  void itIsReleasedExtendedAndRevokedByOthers() throws Exception {
    Lease lease = door.acquire();
    assertThat(sameDoor.extend(lease.id(), Duration.ofMinutes(5))).isTrue();
    // Its holder has asked for the new end: a question on its way would put the next lease where several stand.
    Eventually.holds(world, () -> lease.remaining().compareTo(Duration.ofMinutes(4)) > 0);
    assertThat(sameDoor.release(lease.id())).isEqualTo(ReleaseResult.RELEASED);
    Eventually.holds(world, () -> !lease.isValid());
    Lease other = door.acquire();
    assertAlone();
    assertThat(sameDoor.revoke(other.id())).isTrue();
    assertThat(other.isValid()).isFalse();
    Eventually.holds(world, () -> door.stats().acquired() == 0);
  }

  @Test
  void itsTimeEnds() throws Exception {
    Lease lease = door.ttl(Duration.ofMillis(200)).acquire();
    Eventually.holds(world, () -> !lease.isValid());
    Eventually.holds(world, () -> door.stats().acquired() == 0);
    assertCounts(0, 2, 1, 1);
    assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
  }

  @Test
  void severalPermitsAreNotAlone() throws Exception {
    Lease both = door.acquire(2);
    assertThat(server.keysInUse()).hasSize(3);
    assertThat(server.admin().keys("*")).allMatch(key -> server.admin().pttl(key) >= 80_000_000);
    both.close();
  }

  @Test
  void itIsReleasedThoughThereIsNoRoom() throws Exception {
    Lease lease = door.acquire();
    server.admin().configSet("maxmemory", "1kb");
    try {
      assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(isAlone()).isFalse();
    } finally {
      server.admin().configSet("maxmemory", "0");
    }
    assertCounts(0, 2, 2, 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseConformance;
import dev.baton.lease.LeaseHistory;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.ReleaseResult;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is promised on every store, on a real server. */
@SuppressWarnings("NullAway.Init")
class RedisConformanceTest extends LeaseConformance {
  @AutoClose private static final TestServer server = new TestServer();
  private final World world = Worlds.VIRTUAL.create();
  private Leases leases;

  @BeforeEach
  void connect() {
    server.admin().flushall();
    leases = RedisLeases.connect(server.uri());
  }

  @AfterEach
  void nothingIsLeft() {
    leases.close();
    assertThat(server.keysInUse()).isEmpty();
    assertThat(server.admin().keys("*")).allMatch(key -> server.admin().pttl(key) > 0);
  }

  @Override
  protected World world() {
    return world;
  }

  @Override
  protected Leases leases() {
    return leases;
  }

  @Override
  protected int repetitions() {
    return 300;
  }

  @Override
  protected int raceNanos() {
    return 5_000_000;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void randomUseKeepsAllPromises(long seed) throws Exception {
    new LeaseHistory(leases, "history", 3, seed, Duration.ofMillis(5), false).run(16, 40);
  }

  @Test
  void whatWasReleasedByItsIdWasNotLost() throws Exception {
    Duration ttl = Duration.ofMillis(6);
    Scope.run(
        scope -> {
          for (int i = 0; i < 64; i++) {
            LeaseSemaphore semaphore = leases.semaphore("by id " + i, 1).ttl(ttl);
            int shift = i;
            scope.fork(() -> releaseAroundTheEnd(semaphore, ttl, shift));
          }
          scope.join();
        });
  }

  private static @Nullable Void releaseAroundTheEnd(LeaseSemaphore semaphore, Duration ttl, int shift) throws Exception {
    for (int i = 0; i < 60; i++) {
      Lease lease = semaphore.acquire();
      Time.sleep(ttl.minus(Duration.ofNanos(10_000L * ((i * 64 + shift) % 200))));
      if (semaphore.release(lease.id()) == ReleaseResult.RELEASED) {
        assertThat(lease.lost()).isEmpty();
      }
    }
    return null;
  }

  @Test
  void randomUseByTwoProcessesKeepsTheLimit() throws Exception {
    try (Leases other = RedisLeases.connect(server.uri())) {
      Thread beside =
          Thread.startVirtualThread(
              () -> {
                for (int i = 0; i < 200; i++) {
                  other.semaphore("history", 3).tryAcquire().ifPresent(dev.baton.lease.Lease::close);
                }
              });
      LeaseHistory history = new LeaseHistory(leases, "history", 3, 7, Duration.ofMillis(5), false);
      history.play(8, 30);
      beside.join();
      history.judge();
    }
  }
}

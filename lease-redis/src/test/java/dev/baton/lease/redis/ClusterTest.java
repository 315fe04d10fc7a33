// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.Leases;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases on three servers that are a cluster. */
@SuppressWarnings("NullAway.Init")
class ClusterTest {
  private static final int SIZE = 3;

  @TempDir
  private static Path directory;

  private static TestCluster cluster;
  private final World world = Worlds.VIRTUAL.create();

  @BeforeAll
  static void start() {
    cluster = new TestCluster(Worlds.VIRTUAL.create(), directory, SIZE);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Leases connect() {
    return RedisLeases.builder().uri(cluster.uri()).commandTimeout(Duration.ofSeconds(5)).connect();
  }

  @Test
  void lease59_namesAreOnAllNodesAndEverybodyIsWokenWhereverItIs() throws Exception {
    try (Leases a = connect();
        Leases b = connect()) {
      for (int i = 0; i < 24; i++) {
        String name = "name {" + i + "}";
        LeaseSemaphore here = a.semaphore(name, 1);
        Lease lease = here.acquire();
        Actor<Lease> waiter = world.call("waiter", () -> b.semaphore(name, 1).acquire());
        Eventually.holds(world, () -> here.stats().waiting() == 1);
        long start = System.nanoTime();
        lease.close();
        waiter.result().close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).as("no poll was waited for").isLessThan(Duration.ofSeconds(1));
      }
      assertThat(a.names()).hasSizeGreaterThanOrEqualTo(24);
      for (TestServer node : cluster.nodes) {
        assertThat(node.admin().keys("baton:{name*:cfg")).as("names on each node").isNotEmpty();
        assertThat(node.keysInUse()).isEmpty();
      }
    }
  }

  @Test
  void lease80_aSlotThatMovesUnderLoadLosesNothingAndKeepsNobodyWaiting() throws Exception {
    try (Leases a = connect();
        Leases b = connect()) {
      AtomicInteger inside = new AtomicInteger();
      AtomicBoolean moved = new AtomicBoolean();
      List<Actor<Integer>> workers = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        LeaseSemaphore shared = (i % 2 == 0 ? a : b).semaphore("moving", 1);
        workers.add(
            world.call(
                "worker",
                () -> {
                  int most = 0;
                  for (int n = 0; n < 40 || !moved.get(); n++) {
                    try (Lease lease = shared.acquire(Duration.ofSeconds(30))) {
                      assertThat(lease.isValid()).isTrue();
                      most = Math.max(most, inside.incrementAndGet());
                      inside.decrementAndGet();
                    }
                  }
                  return most;
                }));
      }
      LeaseSemaphore semaphore = a.semaphore("moving", 1);
      Eventually.holds(world, () -> semaphore.stats().granted() > 0);
      for (int round = 0; round < 2; round++) {
        for (TestServer node : cluster.nodes) {
          cluster.move("baton:{moving}:cfg", node);
        }
      }
      moved.set(true);
      for (Actor<Integer> worker : workers) {
        assertThat(worker.result()).isEqualTo(1);
      }
      Eventually.holds(world, () -> isIdle(semaphore.stats()));
      LeaseStats stats = semaphore.stats();
      assertThat(stats.granted()).isGreaterThanOrEqualTo(240);
      assertThat(stats.granted() - stats.holders()).as("%d lost", stats.expired()).isEqualTo(stats.released() + stats.expired());
    }
  }

  private static boolean isIdle(LeaseStats stats) {
    return stats.holders() == 0 && stats.waiting() == 0;
  }

  @Test
  void aClientForOneServerIsRefused() {
    RedisClient own = RedisClient.create();
    try {
      assertThatThrownBy(() -> RedisLeases.builder().client(own).uri(cluster.uri()).connect())
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("is a cluster");
    } finally {
      own.shutdown();
    }
  }
}

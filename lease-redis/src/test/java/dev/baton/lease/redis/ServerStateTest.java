// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.ReleaseResult;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that say they cannot do it now, and servers that are a cluster. */
class ServerStateTest {
  private static final int SLOTS = 16_384;
  private final World world = Worlds.VIRTUAL.create();

  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "READONLY You can't write against a read only replica.",
        "LOADING Redis is loading the dataset in memory",
        "MOVED 3999 127.0.0.1:6381",
        "ASK 3999 127.0.0.1:6381",
        "CLUSTERDOWN The cluster is down",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'."
      })
  void lease79_whatPassesIsWaitedForAndNeverTakenAsAGrant(String error) throws Exception {
    try (TestServer server = new TestServer();
        Proxy proxy = new Proxy(server.port());
        Leases far = RedisLeases.builder().uri(proxy.uri()).commandTimeout(Duration.ofMillis(500)).connect();
        Leases near = RedisLeases.connect(server.uri())) {
      LeaseSemaphore semaphore = far.semaphore("state", 2);
      Lease lease = semaphore.acquire();
      proxy.refuse(error);

      Actor<Lease> patient = world.call("patient", () -> semaphore.acquire(Duration.ofSeconds(30)));
      assertThatThrownBy(semaphore::tryAcquire)
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining(error.substring(0, error.indexOf(' ')));
      assertThat(world.call("hasty", () -> semaphore.tryAcquire(Duration.ofMillis(200))).result()).isEmpty();
      assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(patient.isDone()).isFalse();
      assertThat(near.semaphore("state", 2).stats().granted()).isEqualTo(1);

      proxy.mend();
      try (Lease granted = patient.result()) {
        assertThat(granted.isValid()).isTrue();
        // What could not be given back then is given back behind.
        Eventually.holds(world, () -> near.semaphore("state", 2).stats().released() == 1);
      }
      assertThat(server.keysInUse()).isEmpty();
    }
  }

  private TestServer clusterNode(String file) {
    return new TestServer("cluster-enabled yes", "cluster-config-file " + directory.resolve(file), "cluster-node-timeout 2000");
  }

  @Test
  void lease59_onAClusterOfOneNodeNoCallNeedsTwoSlotsAndEverybodyIsWoken() throws Exception {
    try (TestServer server = clusterNode("only.conf")) {
      server.admin().clusterAddSlots(IntStream.range(0, SLOTS).toArray());
      Eventually.holds(world, () -> server.admin().clusterInfo().contains("cluster_state:ok"));
      try (Leases a = RedisLeases.connect(server.uri());
          Leases b = RedisLeases.connect(server.uri())) {
        List<Lease> held = new ArrayList<>();
        List<Actor<Lease>> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          LeaseSemaphore here = a.semaphore("name {" + i + "}", 1);
          LeaseSemaphore there = b.semaphore("name {" + i + "}", 1);
          held.add(here.acquire());
          waiters.add(world.call("waiter", () -> there.acquire()));
          Eventually.holds(world, () -> here.stats().waiting() == 1);
        }
        held.forEach(Lease::close);
        for (Actor<Lease> waiter : waiters) {
          waiter.result().close();
        }
        assertThat(a.names()).hasSize(20);
      }
    }
  }

  @Test
  void lease59b_aClusterOfSeveralNodesIsRefusedClearly() throws Exception {
    try (TestServer one = clusterNode("one.conf");
        TestServer two = clusterNode("two.conf")) {
      one.admin().clusterAddSlots(IntStream.range(0, SLOTS / 2).toArray());
      two.admin().clusterAddSlots(IntStream.range(SLOTS / 2, SLOTS).toArray());
      one.admin().clusterMeet("127.0.0.1", two.port());
      Eventually.holds(world, () -> one.admin().clusterInfo().contains("cluster_size:2"));
      assertThatThrownBy(() -> RedisLeases.connect(one.uri()))
          .isInstanceOf(BackendUnavailableException.class)
          .hasMessageContaining("cluster of 2 nodes")
          .hasMessageContaining("one primary");
    }
  }
}

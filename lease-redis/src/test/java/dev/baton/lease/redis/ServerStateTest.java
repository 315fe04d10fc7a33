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
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that say they cannot do it now. */
class ServerStateTest {
  private final World world = Worlds.VIRTUAL.create();

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
}

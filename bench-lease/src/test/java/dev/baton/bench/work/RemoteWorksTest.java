// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.bench.peer.Peer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is measured on servers does what it should: each work checks itself. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteWorksTest {
  private final Pairs pairs = new Pairs();
  private final Costs costs = new Costs();
  private final RemoteCosts remote = new RemoteCosts();

  private void run(RemoteCrowd crowd) throws Exception {
    try {
      crowd.start();
      crowd.mark();
      crowd.markRemote();
      do {
        crowd.sample(pairs, costs);
        crowd.sampleRemote(costs, remote);
      } while (pairs.pairs < 100 && !crowd.hasFailed());
    } finally {
      crowd.close(); // checks that all permits are back
    }
  }

  /** Requests of Baton's that come together share a call, 32 at most. */
  private static final double LEAST_SHARED = 2.0 / 32;

  @ParameterizedTest
  @EnumSource(value = Peer.class, names = {"BARE_PINGS", "BATON_REDIS", "REDISSON_PERMIT", "REDISSON_SEMAPHORE", "CURATOR"})
  void callersWithANameEach(Peer peer) throws Exception {
    run(new RemoteCrowd(peer, 4, 4, 1));

    assertThat(remote.p99WaitNanos).isPositive();
    if (peer == Peer.CURATOR) {
      assertThat(remote.commandsPerRound).isNegative();
    } else {
      assertThat(remote.commandsPerAcquire).isEqualTo(1);
      assertThat(remote.commandsPerRelease).isEqualTo(1);
      assertThat(remote.commandsPerRound).isBetween(peer == Peer.BATON_REDIS ? LEAST_SHARED : 1.5, 3.0);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Peer.class, names = {"BATON_REDIS", "REDISSON_PERMIT", "REDISSON_SEMAPHORE"})
  void callersWhoShareFewPermits(Peer peer) throws Exception {
    run(new RemoteCrowd(peer, 8, 1, 2));

    assertThat(remote.commandsPerRound).isGreaterThan(peer == Peer.BATON_REDIS ? LEAST_SHARED : 2);
    assertThat(remote.spreadPercent).isBetween(0.0, 100.0);
  }

  @Test
  void aFloorIsNoGuard() {
    assertThatThrownBy(() -> RemoteStore.of(Peer.BATON, null, 1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void waitersWhoAreLeftAloneSendLittleAndAreServedInTheEnd() throws Exception {
    RemoteIdle idle = new RemoteIdle();
    idle.waiters = 50;
    idle.seconds = 1;
    idle.impl = Peer.BATON_REDIS.key();
    IdleCommands commands = new IdleCommands();
    idle.idle(commands); // checks that nobody was served before, and all were after

    assertThat(commands.idleCommands).isLessThan(20);
  }
}

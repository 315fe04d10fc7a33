// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.peer.RwGate;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CrowdTest {
  @ParameterizedTest
  @EnumSource(
      names = {
        "BARE_HOP", "BATON", "BATON_NOTIFY", "BATON_BARRIER", "CYCLIC_BARRIER", "BATON_PROMISE", "LATCH", "FUTURE"
      })
  void everyTurnThatIsGivenIsTaken(Peer peer) throws InterruptedException {
    sampled(new HopCrowd(peer));
  }

  @ParameterizedTest
  @EnumSource(names = {"BATON_RW", "RW_FAIR", "RW_NONFAIR", "STAMPED"})
  void nobodySeesAWriteHalfDone(Peer peer) throws InterruptedException {
    sampled(new RwCrowd(peer.rwGate(), 8, Section.cpu(10)));
  }

  @Test
  void aGateThatLetsReadersInBesideAWriterIsFoundOut() {
    Crowd crowd = new RwCrowd(new Open(), 8, Section.sleep(1));
    crowd.start();
    // All have read and written by then, each beside seven others; the first to notice may have ended.
    while (!crowd.hasFailed() && crowd.rounds() < 400) {
      Thread.onSpinWait();
    }

    assertThatThrownBy(crowd::stop).isInstanceOf(IllegalStateException.class);
  }

  private static void sampled(Crowd crowd) throws InterruptedException {
    Pairs pairs = new Pairs();
    Costs costs = new Costs();
    crowd.start();
    crowd.mark();
    crowd.sample(pairs, costs);
    crowd.stop();

    assertThat(pairs.pairs).isPositive();
    assertThat(costs.mostPerWorker).isBetween(costs.leastPerWorker, pairs.pairs);
  }

  /** Keeps nobody out. */
  private record Open() implements RwGate {
    @Override
    public long startRead() {
      return 0;
    }

    @Override
    public void endRead(long stamp) {}

    @Override
    public long startWrite() {
      return 0;
    }

    @Override
    public void endWrite(long stamp) {}

    @Override
    public boolean isIdle() {
      return true;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Channel;
import dev.baton.host.Hosts;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Whoever looks while others work sees what was so at some moment. What is refused was never so. */
class OnlookerTest {
  private static final int LOOKS = 20_000;

  /** Does something over and over, on a thread of its own, until it is closed. */
  private static final class Meanwhile implements AutoCloseable {
    private final AtomicLong rounds = new AtomicLong();
    private final Thread thread;
    private volatile boolean over;

    Meanwhile(Runnable round) {
      thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over) {
                      round.run();
                      rounds.incrementAndGet();
                    }
                  });
      while (rounds.get() == 0) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() {
      over = true;
      Hosts.threads().awaitEnd(thread);
    }
  }

  private static void refused(Runnable call) {
    try {
      call.run();
    } catch (IllegalStateException | IllegalMonitorStateException expected) {
      return;
    }
    throw new AssertionError("it was not refused");
  }

  @Test
  void aRefusedReleaseIsNotSeen() {
    Semaphore s = Semaphore.of(3);
    try (Meanwhile _ = new Meanwhile(() -> refused(s::release))) {
      for (int i = 0; i < LOOKS; i++) {
        Semaphore.Snapshot now = s.snapshot();
        assertThat(now.free()).isEqualTo(3);
        assertThat(now.held()).isZero();
      }
    }
    assertThat(s.available()).isEqualTo(3);
  }

  @Test
  void aRefusedUnlockIsNotSeen() {
    RwLock lock = new RwLock();
    try (Meanwhile _ = new Meanwhile(() -> refused(lock.readLock()::unlock))) {
      for (int i = 0; i < LOOKS; i++) {
        assertThat(lock.readerCount()).isZero();
      }
    }
  }

  @Test
  void aRefusedMergeIsNotSeen() throws Exception {
    Semaphore s = Semaphore.of(4);
    Permit closed = s.hold();
    closed.close();
    Permit open = s.hold(2);
    try (Meanwhile _ = new Meanwhile(() -> refused(() -> closed.merge(open)))) {
      for (int i = 0; i < LOOKS; i++) {
        assertThat(open.count()).isEqualTo(2);
        assertThat(open.toString()).doesNotContain("closed");
      }
    }
  }

  @Test
  void aChannelIsNeverSaidToHaveMoreThanItHad() {
    Channel<Integer> channel = Channel.unlimited();
    try (Meanwhile _ =
        new Meanwhile(
            () -> {
              channel.sendUninterruptibly(1);
              channel.receiveUninterruptibly();
            })) {
      int most = 0;
      for (int i = 0; i < 100 * LOOKS; i++) {
        most = Math.max(most, channel.size());
      }
      assertThat(most).isLessThanOrEqualTo(1);
    }
  }
}

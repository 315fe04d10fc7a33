// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.internal.observe.Waits;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import dev.baton.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A dump while everything moves must not show what was never there. */
@Timeout(120)
@Isolated // tracking is for the whole JVM
class DumpStressTest {
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(2);
  private static final int THREADS = 8;

  private final List<Lock> inOrder = new ArrayList<>();
  private final Semaphore permits = Semaphore.of(2);
  private final AtomicBoolean stop = new AtomicBoolean();

  @AfterEach
  void off() {
    Baton.track(Tracking.OFF);
  }

  @Test
  void whoeverLocksInOrderIsNeverSeenInADeadlock() throws Exception {
    for (int i = 0; i < 2; i++) {
      RwLock rw = new RwLock();
      inOrder.addAll(List.of(new Mutex(), i == 0 ? rw.readLock() : rw.writeLock()));
    }
    Baton.track(Tracking.ON);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread.Builder builder = i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
      threads.add(builder.name("hammer " + i).start(this::hammer));
    }
    int dumps = 0;
    int waits = 0;
    long end = System.nanoTime() + LONG_ENOUGH.toNanos();
    try {
      while (System.nanoTime() - end < 0 || waits == 0) {
        WaitGraph graph = Baton.dump();
        assertThat(graph.cycles()).as(graph::toText).isEmpty();
        assertThat(graph.deadlocked()).as(graph::toText).isEmpty();
        dumps++;
        waits += graph.waits().size();
      }
    } finally {
      stop.set(true);
      for (Thread thread : threads) {
        assertThat(thread.join(World.PATIENCE)).isTrue();
      }
    }
    assertThat(dumps).isPositive();
    assertThat(Waits.size()).isZero();
    assertThat(permits.available()).isEqualTo(2);
  }

  /** Two locks and perhaps a permit, always in the same order. */
  private void hammer() {
    while (!stop.get()) {
      int first = ThreadLocalRandom.current().nextInt(inOrder.size() - 1);
      int second = ThreadLocalRandom.current().nextInt(first + 1, inOrder.size());
      inOrder.get(first).lock();
      inOrder.get(second).lock();
      try (Permit permit = permits.hold()) {
        assertThat(permit.count()).isEqualTo(1);
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      } finally {
        inOrder.get(second).unlock();
        inOrder.get(first).unlock();
      }
    }
  }
}

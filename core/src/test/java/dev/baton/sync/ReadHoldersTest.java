// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.internal.observe.Holding;
import dev.baton.observe.Baton;
import dev.baton.observe.Tracking;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Who reads, as it is written down: by tasks themselves and by guards, which anybody may close. */
class ReadHoldersTest {
  /** More than there are places for one task. */
  private static final int MANY = 10;

  private final RwLock rw = new RwLock();
  private final ReadLock read = rw.readLock();
  private final long me = Thread.currentThread().threadId();

  @BeforeEach
  void track() {
    Baton.track(Tracking.ON);
  }

  @AfterEach
  void untrack() {
    Baton.track(Tracking.OFF);
  }

  @Test
  void everyReadOfATaskIsWrittenDownAndCrossedOut() {
    for (int i = 1; i <= MANY; i++) {
      read.lock();
      assertThat(readers()).hasSize(i).containsOnly(me);
    }
    for (int i = MANY - 1; i >= 0; i--) {
      read.unlock();
      assertThat(readers()).hasSize(i);
    }
  }

  @Test
  void everyGuardIsWrittenDownAndCrossedOutByWhoeverClosesIt() throws Exception {
    List<Guard> guards = new ArrayList<>();
    for (int i = 1; i <= MANY; i++) {
      guards.add(read.guard());
      assertThat(readers()).hasSize(i).containsOnly(me);
    }
    for (int i = MANY - 1; i >= 0; i--) {
      Guard guard = guards.get(i);
      Thread.ofVirtual().start(guard::close).join();
      assertThat(readers()).hasSize(i);
    }
  }

  @Test
  @Timeout(value = 10, threadMode = ThreadMode.SEPARATE_THREAD)
  void manyWhoReadDoNotLookThroughEachOther() {
    ReadHolders holders = new ReadHolders();
    List<ReadHold> holds = new ArrayList<>();
    int many = 20_000;
    for (int task = 1; task <= many; task++) {
      ReadHold hold = new ReadGuard(read, 0);
      holders.add(hold, task);
      holds.add(hold);
      assertThat(holders.count(task, null)).isEqualTo(1);
      assertThat(holders.count(task, hold)).isZero();
    }
    ReadHold again = new ReadGuard(read, 0);
    holders.add(again, many);
    assertThat(holders.count(many, again)).isEqualTo(1);
    holds.add(again);
    holds.forEach(holders::remove);
    assertThat(holders.count(many, null)).isZero();
    assertThat(holders.holdings()).isEmpty();
  }

  @Test
  void anUnlockCrossesOutAReadOfTheTasksOwnAndNoGuards() throws Exception {
    try (Guard _ = read.guard()) {
      read.lock();
      read.unlock();
      assertThat(readers()).containsExactly(me);
    }
    assertThat(readers()).isEmpty();
  }

  @Test
  void aGuardTakenWhileNothingIsWrittenDownCrossesOutNobodyElse() throws Exception {
    read.lock();
    Baton.track(Tracking.OFF);
    Guard guard = read.guard();
    Baton.track(Tracking.ON);

    guard.close();

    assertThat(readers()).containsExactly(me);
    read.unlock();
    assertThat(readers()).isEmpty();
  }

  @Test
  void aGuardIsCrossedOutAlsoIfTrackingWasTurnedOffWhileItTookTheLock() {
    ReadGuard guard = read.newGuard();
    read.lock();
    Baton.track(Tracking.OFF);
    read.heldBy(guard);
    guard.close();

    assertThat(readers()).isEmpty();
  }

  @Test
  void aGuardCrossesOutNobodyElseAlsoIfTrackingWasTurnedOnWhileItTookTheLock() {
    read.lock();
    Baton.track(Tracking.OFF);
    ReadGuard guard = read.newGuard();
    read.lock();
    Baton.track(Tracking.ON);
    read.heldBy(guard);
    guard.close();

    assertThat(readers()).containsExactly(me);
    read.unlock();
    assertThat(readers()).isEmpty();
  }

  @Test
  void aDowngradedWriterReadsInItsOwnName() throws Exception {
    WriteGuard writing = rw.writeLock().guard();
    Guard[] reading = new Guard[1];
    Thread other = Thread.ofVirtual().start(() -> reading[0] = writing.downgrade());
    other.join();

    assertThat(readers()).containsExactly(me);
    reading[0].close();
    assertThat(readers()).isEmpty();
  }

  @Test
  void nothingIsLeftBehindWhenGuardsAreClosedElsewhereMeanwhile() throws Exception {
    LinkedBlockingQueue<Guard> toClose = new LinkedBlockingQueue<>();
    Guard last = read.guard();
    Thread closer = Thread.ofPlatform().start(() -> closeUntil(last, toClose));

    for (int i = 0; i < 50_000; i++) {
      toClose.add(read.guard());
      read.lock();
      read.lock();
      assertThat(read.isKnownToBeHeldBy(me)).isTrue();
      read.unlock();
      read.unlock();
    }
    toClose.add(last);
    closer.join();

    assertThat(readers()).isEmpty();
    assertThat(rw.readerCount()).isZero();
  }

  private static void closeUntil(Guard last, LinkedBlockingQueue<Guard> guards) {
    try {
      Guard guard;
      do {
        guard = guards.take();
        guard.close();
      } while (guard != last);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Long> readers() {
    return read.holders().holdings().stream().map(Holding::task).toList();
  }
}

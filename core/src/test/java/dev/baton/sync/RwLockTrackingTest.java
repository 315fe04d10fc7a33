// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.observe.Baton;
import dev.baton.observe.Tracking;
import dev.baton.world.Actor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RwLockTrackingTest extends InEveryWorld {
  private final RwLock lock = new RwLock();
  private final ReadLock read = lock.readLock();
  private final WriteLock write = lock.writeLock();

  @BeforeEach
  void on() {
    Baton.track(Tracking.ON);
  }

  @AfterEach
  void off() {
    Baton.track(Tracking.OFF);
  }

  private static void assertRefused(VoidBody<Exception> call, String reason) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void case70_aSecondReadBehindAWriterIsAnErrorNotAHang() {
    read.lock();
    read.lock();
    read.unlock();
    Actor<Void> writer = world().start("writer", write::lock);
    assertRefused(read::lock, "reads under RwLock@");
    assertRefused(read::lockInterruptibly, "not reentrant");
    assertRefused(() -> read.tryLock(LONG), "read once");
    assertThat(read.tryLock()).isFalse();
    assertThat(lock.waiting()).isEqualTo(1);
    assertThat(lock.readerCount()).isEqualTo(1);
    Actor<Void> other = world().start("other", read::lock);
    assertThat(other.isWaiting()).isTrue();
    read.unlock();
    writer.result();
    assertThat(lock.isWriteLocked()).isTrue();
  }

  @Test
  void case70_aReaderThatWaitsToWriteIsAnErrorNotAHang() {
    read.lock();
    assertRefused(write::lock, "unlock the read lock first");
    assertRefused(write::guard, "unlock the read lock first");
    assertRefused(() -> write.tryLock(LONG), "unlock the read lock first");
    assertThat(write.tryLock()).isFalse();
    assertThat(lock.waiting()).isZero();
    assertThat(lock.readerCount()).isEqualTo(1);
    read.unlock();
    write.lock();
    write.unlock();
  }

  @Test
  void case70_aReaderThatWaitsToBecomeUpgradableIsAnErrorNotAHang() throws Exception {
    UpgradableGuard other = world().call("upgradable", lock::upgradable).result();
    read.lock();
    assertRefused(lock::upgradable, "ask for the guard first");
    assertThat(lock.waiting()).isZero();
    read.unlock();
    other.close();
    read.lock();
    try (UpgradableGuard guard = lock.upgradable()) {
      assertRefused(guard::upgrade, "unlock that read lock first");
      assertThat(guard.tryUpgrade()).isFalse();
      assertThat(lock.readerCount()).isEqualTo(2);
      read.unlock();
      guard.upgrade();
      guard.downgrade();
      guard.upgrade();
    }
    write.lock();
    write.unlock();
  }

  @Test
  void aGuardClosedElsewhereCrossesOutTheOneWhoTookIt() throws Exception {
    Guard guard = read.guard();
    assertRefused(write::lock, "reads under");
    world()
        .start(
            "closer",
            () -> {
              read.lock();
              guard.close();
              assertRefused(write::lock, "reads under");
              read.unlock();
            })
        .result();
    write.lock();
    write.unlock();
    UpgradableGuard upgradable = lock.upgradable();
    world().start("closer", upgradable::close).result();
    write.lock();
    write.unlock();
  }

  @Test
  void whoDowngradedReads() throws Exception {
    write.lock();
    lock.downgrade();
    assertRefused(write::lock, "reads under");
    read.unlock();
    Guard reading = write.guard().downgrade();
    assertRefused(write::lock, "reads under");
    world().start("closer", reading::close).result();
    write.lock();
    write.unlock();
  }

  @Test
  void aGuardOfAFutureReadsForNoTask() {
    Guard guard = read.lockAsync().join();
    Actor<Void> writer = world().start("writer", write::lock);
    Actor<Void> reader = world().start("reader", read::lock);
    assertThat(reader.isWaiting()).isTrue();
    guard.close();
    writer.result();
  }

  @Test
  void whatWasWrittenDownIsCrossedOutAlsoOnceTrackingIsOff() throws Exception {
    read.lock();
    Guard guard = read.guard();
    Baton.track(Tracking.OFF);
    read.unlock();
    guard.close();
    read.lock();
    Baton.track(Tracking.STACKS);
    read.unlock();
    write.lock();
    write.unlock();
    assertThat(lock.readerCount()).isZero();
  }
}

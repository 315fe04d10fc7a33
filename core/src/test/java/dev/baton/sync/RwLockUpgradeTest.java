// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

class RwLockUpgradeTest extends InEveryWorld {
  private final RwLock lock = new RwLock();
  private final ReadLock read = lock.readLock();
  private final WriteLock write = lock.writeLock();

  private Actor<UpgradableGuard> upgradable() {
    return world().call("upgradable", lock::upgradable);
  }

  /** Everything has been given back: all of it can be taken again. */
  private void assertFree() throws Exception {
    assertThat(lock.readerCount()).isZero();
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.waiting()).isZero();
    try (UpgradableGuard again = lock.tryUpgradable().orElseThrow()) {
      assertThat(again.tryUpgrade()).isTrue();
      assertThat(lock.isWriteLocked()).isTrue();
    }
    assertThat(lock.isWriteLocked()).isFalse();
  }

  @Test
  void case71_aSecondUpgradableReaderWaits() throws Exception {
    UpgradableGuard first = lock.upgradable();
    Actor<UpgradableGuard> second = upgradable();
    assertThat(second.isWaiting()).isTrue();
    assertThat(lock.waiting()).isEqualTo(1);
    assertThat(world().call("try", lock::tryUpgradable).result()).isEmpty();
    assertThat(read.tryLock()).isTrue();
    read.unlock();
    first.close();
    second.result().close();
    assertFree();
  }

  @Test
  void case71_anUpgradeWaitsForReadersAndGoesBeforeWriters() throws Exception {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    read.lock();
    Semaphore go = Semaphore.unbounded(0);
    Actor<Void> upgrader =
        world()
            .start(
                "upgrader",
                () -> {
                  try (UpgradableGuard guard = lock.upgradable()) {
                    go.acquire();
                    guard.upgrade();
                    order.add("upgrade " + write.isHeldByCurrentThread() + guard.isUpgraded());
                  }
                });
    Actor<Void> writer =
        world()
            .start(
                "writer",
                () -> {
                  try (Guard guard = write.guard()) {
                    order.add("write " + (guard != null));
                  }
                });
    assertThat(lock.readerCount()).isEqualTo(2);
    assertThat(lock.waiting()).isEqualTo(1);
    go.release();
    world().settle();
    awaitWaiting(2);
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.readerCount()).isEqualTo(2);
    read.unlock();
    upgrader.result();
    writer.result();
    assertThat(order).containsExactly("upgrade truetrue", "write true");
    assertFree();
  }

  private void awaitWaiting(int waiting) {
    long end = System.nanoTime() + World.PATIENCE.toNanos();
    while (lock.waiting() != waiting) {
      assertThat(System.nanoTime()).as("%s should wait", waiting).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void anUpgradeAloneNeedsNoWaitEvenIfWritersDo() throws Exception {
    UpgradableGuard guard = lock.upgradable();
    Actor<Guard> writer = world().call("writer", write::guard);
    assertThat(guard.tryUpgrade()).isTrue();
    assertThat(guard.tryUpgrade()).isTrue();
    assertThat(guard.isUpgraded()).isTrue();
    assertThat(write.isHeldByCurrentThread()).isTrue();
    assertThat(writer.isDone()).isFalse();
    guard.downgrade();
    assertThat(guard.isUpgraded()).isFalse();
    assertThat(lock.readerCount()).isEqualTo(1);
    assertThat(writer.isDone()).isFalse();
    guard.upgrade();
    guard.upgrade();
    assertThat(guard.upgrade(Duration.ZERO)).isTrue();
    guard.close();
    writer.result().close();
    assertFree();
  }

  @Test
  void tryUpgradeThatFailsChangesNothing() throws Exception {
    UpgradableGuard guard = lock.upgradable();
    read.lock();
    assertThat(guard.tryUpgrade()).isFalse();
    assertThat(guard.upgrade(Duration.ZERO)).isFalse();
    assertThat(lock.readerCount()).isEqualTo(2);
    assertThat(lock.waiting()).isZero();
    assertThat(read.tryLock()).isTrue();
    read.unlock();
    read.unlock();
    assertThat(guard.tryUpgrade()).isTrue();
    guard.close();
    assertFree();
  }

  @Test
  void anUpgradeThatEndsEarlyGoesOnReadingAndLetsTheNextIn() throws Exception {
    read.lock();
    UpgradableGuard guard = world().call("upgradable", lock::upgradable).result();
    Actor<Boolean> timed = world().call("timed", () -> guard.upgrade(SHORT));
    Actor<Void> behind = world().start("reader behind", read::lockInterruptibly);
    // On threads a slow machine may let the time pass before the reader comes.
    assertThat(behind.isWaiting() || timed.isDone()).isTrue();
    world().pass(SHORT);
    assertThat(timed.result()).isFalse();
    behind.result();
    assertThat(lock.readerCount()).isEqualTo(3);
    Actor<Void> interrupted = world().start("interrupted", guard::upgrade);
    Actor<Void> behindToo = world().start("reader behind", read::lockInterruptibly);
    assertThat(behindToo.isWaiting()).isTrue();
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    behindToo.result();
    assertThat(lock.readerCount()).isEqualTo(4);
    assertThat(guard.isUpgraded()).isFalse();
    assertThat(lock.isWriteLocked()).isFalse();
    for (int i = 0; i < 3; i++) {
      read.unlock();
    }
    assertThat(guard.tryUpgrade()).isTrue();
    guard.close();
    assertFree();
  }

  @Test
  void anInterruptedCallerDoesNotUpgrade() throws Exception {
    UpgradableGuard guard = lock.upgradable();
    Actor<Void> caller =
        world()
            .start(
                "interrupted",
                () -> {
                  Thread.currentThread().interrupt();
                  guard.upgrade();
                });
    assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    assertThat(guard.isUpgraded()).isFalse();
    guard.close();
    assertFree();
  }

  @Test
  void aWaitForThePlaceThatEndsEarlyHoldsNothing() throws Exception {
    UpgradableGuard guard = lock.upgradable();
    Actor<UpgradableGuard> timed = world().call("timed", () -> lock.upgradable(SHORT));
    Actor<UpgradableGuard> interrupted = upgradable();
    Actor<UpgradableGuard> patient = world().call("patient", () -> lock.upgradable(LONG));
    assertThat(world().call("now", () -> lock.upgradable(Duration.ZERO)).failure()).isInstanceOf(TimeoutException.class);
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(TimeoutException.class);
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    assertThat(lock.waiting()).isEqualTo(1);
    guard.close();
    patient.result().close();
    assertFree();
  }

  @Test
  void aWaitForTheReadThatEndsEarlyGivesThePlaceBack() throws Exception {
    write.lock();
    Actor<UpgradableGuard> patient = world().call("patient", () -> lock.upgradable(LONG));
    Actor<UpgradableGuard> next = upgradable();
    assertThat(lock.waiting()).isEqualTo(2);
    Actor<UpgradableGuard> timed = world().call("timed", () -> lock.upgradable(SHORT));
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(TimeoutException.class);
    assertThat(lock.waiting()).isEqualTo(2);
    for (Actor<UpgradableGuard> actor : List.of(next, patient)) {
      actor.interrupt();
      assertThat(actor.failure()).isInstanceOf(InterruptedException.class);
    }
    assertThat(lock.waiting()).isZero();
    write.unlock();
    assertFree();
  }

  @Test
  void oneTimeOutCoversThePlaceAndTheRead() throws Exception {
    UpgradableGuard guard = lock.upgradable();
    Actor<UpgradableGuard> timed = world().call("timed", () -> lock.upgradable(SHORT.multipliedBy(2)));
    world().pass(SHORT);
    guard.upgrade();
    // Leaves the place and goes on writing: the other now waits for the read, for what is left of its time.
    Actor<Void> handed = world().start("writer", write::lock);
    lock.downgrade();
    guard.close();
    read.unlock();
    handed.result();
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(TimeoutException.class);
    assertThat(lock.waiting()).isZero();
    assertThat(lock.isWriteLocked()).isTrue();
  }

  @Test
  void whoUpgradedOwnsTheWriteLock() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  try (UpgradableGuard guard = lock.upgradable()) {
                    assertRefused(write::lock, "upgradable guard");
                    assertRefused(lock::upgradable, "upgradable guard");
                    guard.upgrade();
                    assertThat(write.isHeldByCurrentThread()).isTrue();
                    assertRefused(write::lock, "not reentrant");
                    assertRefused(read::lock, "would wait for itself");
                    assertRefused(lock::upgradable, "would wait for itself");
                    assertThatThrownBy(read::unlock).isInstanceOf(IllegalMonitorStateException.class);
                    guard.downgrade();
                    assertThat(write.isHeldByCurrentThread()).isFalse();
                    assertThatThrownBy(guard::downgrade).isInstanceOf(IllegalStateException.class);
                  }
                });
    owner.result();
    assertThat(lock.readerCount()).isZero();
    assertThat(lock.waiting()).isZero();
  }

  @Test
  void anUpgradableReaderThatReadsAgainBehindAWriterIsRefused() throws Exception {
    UpgradableGuard guard = lock.upgradable();
    read.lock();
    read.unlock();
    Actor<Guard> writer = world().call("writer", write::guard);
    assertRefused(read::lock, "reads under");
    assertThat(lock.waiting()).isEqualTo(1);
    assertThat(lock.readerCount()).isEqualTo(1);
    guard.close();
    writer.result().close();
    assertFree();
  }

  private static void assertRefused(VoidBody<Exception> call, String reason) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void closingIsExactFromEveryStateAndOnce() throws Exception {
    UpgradableGuard reading = lock.upgradable();
    reading.close();
    reading.close();
    assertFree();
    assertThatThrownBy(reading::upgrade).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
    assertThatThrownBy(reading::tryUpgrade).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(reading::downgrade).isInstanceOf(IllegalStateException.class);

    UpgradableGuard upgraded = lock.upgradable();
    upgraded.upgrade();
    world().start("closer", upgraded::close).result();
    upgraded.close();
    assertFree();

    UpgradableGuard unlocked = lock.upgradable();
    unlocked.upgrade();
    write.unlock();
    assertThat(unlocked.isUpgraded()).isFalse();
    assertThat(lock.readerCount()).isZero();
    assertThatThrownBy(unlocked::upgrade).isInstanceOf(IllegalStateException.class).hasMessageContaining("otherwise");
    assertThatThrownBy(unlocked::downgrade).isInstanceOf(IllegalStateException.class);
    assertThat(lock.tryUpgradable()).isEmpty();
    write.lock();
    unlocked.close();
    assertThat(write.isHeldByCurrentThread()).isTrue();
    write.unlock();
    assertFree();

    UpgradableGuard downgraded = lock.upgradable();
    downgraded.upgrade();
    lock.downgrade();
    downgraded.close();
    assertThat(lock.readerCount()).isEqualTo(1);
    read.unlock();
    assertFree();
  }

  @Test
  void aGuardClosedWhileItWaitsToUpgradeLetsGoOfEverything() throws Exception {
    read.lock();
    UpgradableGuard guard = world().call("upgradable", lock::upgradable).result();
    Actor<Void> upgrader = world().start("upgrader", guard::upgrade);
    assertThat(upgrader.isWaiting()).isTrue();
    assertThatThrownBy(guard::tryUpgrade).isInstanceOf(IllegalStateException.class).hasMessageContaining("Another thread");
    guard.close();
    read.unlock();
    assertThat(upgrader.failure()).isInstanceOf(IllegalStateException.class).hasMessageContaining("nothing is held");
    assertFree();
    read.lock();
    UpgradableGuard second = world().call("upgradable", lock::upgradable).result();
    Actor<Boolean> timed = world().call("timed", () -> second.upgrade(SHORT));
    second.close();
    world().pass(SHORT);
    assertThat(timed.failure()).isInstanceOf(IllegalStateException.class);
    read.unlock();
    assertFree();
  }

  @Test
  @SuppressWarnings("WaitNotInLoop") // what is tested is one wait
  void anUpgradedReaderMayWaitForACondition() throws Exception {
    Condition condition = write.newCondition();
    Actor<Boolean> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  try (UpgradableGuard guard = lock.upgradable()) {
                    guard.upgrade();
                    boolean signalled = condition.await(1, TimeUnit.HOURS);
                    return signalled && guard.isUpgraded();
                  }
                });
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.readerCount()).isZero();
    write.lock();
    condition.signal();
    write.unlock();
    assertThat(waiter.result()).isTrue();
    assertFree();
  }

  @Test
  void anUpgradeThatIsInterruptedAfterItsGuardWasClosedIsInterrupted() {
    RwLock lock = new RwLock();
    lock.readLock().lock();
    AtomicReference<UpgradableGuard> guard = new AtomicReference<>();
    Actor<Void> upgrader =
        world()
            .start(
                "upgrader",
                () -> {
                  guard.set(lock.upgradable());
                  guard.get().upgrade();
                });
    Eventually.holds(world(), () -> lock.waiting() == 1);
    guard.get().close();
    upgrader.interrupt();
    assertThat(upgrader.failure()).isInstanceOf(InterruptedException.class);
    lock.readLock().unlock();
    assertThat(lock.writeLock().tryLock()).isTrue();
  }
}

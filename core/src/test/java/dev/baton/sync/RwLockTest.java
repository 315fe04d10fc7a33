// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.channel.Select;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

class RwLockTest extends InEveryWorld {
  private final RwLock lock = new RwLock();
  private final ReadLock read = lock.readLock();
  private final WriteLock write = lock.writeLock();
  private int counter;

  /** Starts a task that reads, and goes on reading. */
  private Actor<Void> reader() {
    return world().start("reader", read::lockInterruptibly);
  }

  /** Starts a task that writes, and goes on writing. */
  private Actor<Guard> writer() {
    return world().call("writer", write::guard);
  }

  @Test
  void case60_twoReadAtOnce() {
    reader().result();
    reader().result();
    assertThat(lock.readerCount()).isEqualTo(2);
    assertThat(lock.isWriteLocked()).isFalse();
    read.unlock();
    read.unlock();
    assertThat(lock.readerCount()).isZero();
  }

  @Test
  void case61_aWriterWaitsForTheReader() {
    read.lock();
    Actor<Guard> writer = writer();
    assertThat(writer.isWaiting()).isTrue();
    assertThat(write.tryLock()).isFalse();
    read.unlock();
    writer.result().close();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void case61_readerAndWriterWaitForTheWriter() {
    write.lock();
    Actor<Void> reader = reader();
    Actor<Guard> writer = writer();
    assertThat(reader.isWaiting()).isTrue();
    assertThat(writer.isWaiting()).isTrue();
    assertThat(lock.waiting()).isEqualTo(2);
    write.unlock();
    reader.result();
    assertThat(writer.isDone()).isFalse();
    read.unlock();
    writer.result();
  }

  @Test
  void case62_aQueuedWriterStopsNewReaders() {
    read.lock();
    read.lock();
    Actor<Guard> writer = writer();
    Actor<Void> third = reader();
    assertThat(third.isWaiting()).isTrue();
    assertThat(read.tryLock()).isFalse();
    read.unlock();
    assertThat(writer.isDone()).isFalse();
    read.unlock();
    Guard writing = writer.result();
    assertThat(third.isDone()).isFalse();
    writing.close();
    third.result();
    assertThat(lock.readerCount()).isEqualTo(1);
  }

  @Test
  void case64_oneReaderMoreThanTheMostWaitsForOneToLeave() {
    RwLock limited = RwLock.withMaxReaders(1024);
    assertThat(limited.maxReaders()).isEqualTo(1024);
    for (int i = 0; i < 1024; i++) {
      assertThat(limited.readLock().tryLock()).isTrue();
    }
    assertThat(limited.readLock().tryLock()).isFalse();
    Actor<Void> oneMore = world().start("one more", limited.readLock()::lockInterruptibly);
    assertThat(oneMore.isWaiting()).isTrue();
    assertThat(limited.readerCount()).isEqualTo(1024);
    assertThat(limited.isWriteLocked()).isFalse();
    limited.readLock().unlock();
    oneMore.result();
    assertThat(limited.readerCount()).isEqualTo(1024);
  }

  @Test
  void case64_theMostReadersAreAtLeastOne() {
    assertThat(new RwLock().maxReaders()).isEqualTo(RwLock.MAX_READERS);
    for (int wrong : new int[] {0, -1, RwLock.MAX_READERS + 1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> RwLock.withMaxReaders(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 2^30")
          .hasMessageContaining(String.valueOf(wrong));
    }
  }

  @Test
  void case65_writersComeInTheOrderInWhichTheyWait() {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    // Made in one order, waiting in another.
    World.Step first = () -> append(order, "made first");
    World.Step second = () -> append(order, "made second");
    World.Step third = () -> append(order, "made third");
    write.lock();
    List<Actor<Void>> writers =
        List.of(world().start("c", third), world().start("a", first), world().start("b", second));
    write.unlock();
    writers.forEach(Actor::result);
    assertThat(order).containsExactly("made third", "made first", "made second");
  }

  private void append(List<String> order, String name) {
    write.lock();
    order.add(name);
    write.unlock();
  }

  @Test
  void case66_aDowngradeLetsReadersInUpToTheNextWriter() {
    write.lock();
    Actor<Void> first = reader();
    Actor<Void> second = reader();
    Actor<Guard> writer = writer();
    Actor<Void> behind = reader();
    lock.downgrade();
    first.result();
    second.result();
    assertThat(lock.readerCount()).isEqualTo(3);
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(write.isHeldByCurrentThread()).isFalse();
    assertThat(lock.waiting()).isEqualTo(2);
    for (int i = 0; i < 3; i++) {
      assertThat(writer.isDone()).isFalse();
      read.unlock();
    }
    writer.result().close();
    behind.result();
  }

  @Test
  void aGuardIsDowngradedToAGuard() throws Exception {
    WriteGuard writing = write.guard();
    Actor<Guard> next = writer();
    Guard reading = writing.downgrade();
    assertThat(lock.readerCount()).isEqualTo(1);
    writing.close();
    assertThat(lock.readerCount()).isEqualTo(1);
    assertThatThrownBy(writing::downgrade).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(next.isDone()).isFalse();
    reading.close();
    Guard nextWriting = next.result();
    reading.close();
    assertThat(lock.isWriteLocked()).isTrue();
    nextWriting.close();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void aGuardIsSpentByTheThreadsOwnDowngrade() throws Exception {
    WriteGuard writing = write.guard();
    lock.downgrade();
    writing.close();
    assertThat(lock.readerCount()).isEqualTo(1);
    read.unlock();
    assertThat(lock.readerCount()).isZero();
  }

  @Test
  void aLockForOneReaderDowngradesToo() throws Exception {
    RwLock single = RwLock.withMaxReaders(1);
    single.writeLock().lock();
    assertThat(single.isWriteLocked()).isTrue();
    assertThat(single.readerCount()).isZero();
    single.downgrade();
    assertThat(single.isWriteLocked()).isFalse();
    assertThat(single.readerCount()).isEqualTo(1);
    assertThat(single.readLock().tryLock()).isFalse();
    assertThat(single.writeLock().tryLock()).isFalse();
    single.readLock().unlock();
    try (UpgradableGuard guard = single.upgradable()) {
      guard.upgrade();
      assertThat(single.writeLock().isHeldByCurrentThread()).isTrue();
      guard.downgrade();
      assertThat(single.readerCount()).isEqualTo(1);
      assertThat(guard.tryUpgrade()).isTrue();
    }
    assertThat(single.writeLock().tryLock()).isTrue();
    single.writeLock().unlock();
    assertThat(single.readerCount()).isZero();
  }

  @Test
  void case68_whatFourTasksWriteIsNotLost() {
    Queue<Integer> steps = new ConcurrentLinkedQueue<>(List.of(2, 3, 5, 7));
    together(
        4,
        () -> {
          int step = steps.remove();
          for (int i = 0; i < 1000; i++) {
            try (Guard guard = write.guard()) {
              int before = counter;
              // A switch point, so that another task could come between reading and writing.
              assertThat(write.isHeldByCurrentThread()).as("%s", guard).isTrue();
              counter = before + step;
            }
          }
        });
    assertThat(counter).isEqualTo(17_000);
  }

  @Test
  void case69_aWriterThatOnlyWaitsIsNotSeenAsWriting() {
    read.lock();
    read.lock();
    Actor<Guard> writer = writer();
    Actor<Void> behind = reader();
    assertThat(writer.isWaiting()).isTrue();
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.readerCount()).isEqualTo(2);
    read.unlock();
    assertThat(lock.readerCount()).isEqualTo(1);
    assertThat(lock.toString()).contains("1 reader");
    read.unlock();
    // Handed over: from the first instant on it is the writer's.
    assertThat(lock.isWriteLocked()).isTrue();
    assertThat(lock.readerCount()).isZero();
    Guard writing = writer.result();
    assertThat(lock.toString()).contains("write-locked by thread");
    writing.close();
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.readerCount()).isEqualTo(1);
    behind.result();
  }

  @Test
  void toStringTellsTheState() throws Exception {
    assertThat(lock.toString()).contains("unlocked");
    try (Guard guard = read.guard()) {
      assertThat(guard.toString()).contains("read lock of RwLock@", "1 reader");
      read.lock();
      assertThat(lock.toString()).contains("2 readers");
      read.unlock();
    }
    try (Guard guard = write.lockAsync().join()) {
      assertThat(guard.toString()).contains("write lock of RwLock@", "write-locked by a guard");
    }
    try (UpgradableGuard guard = lock.upgradable()) {
      assertThat(guard.toString()).contains("UpgradableGuard[RwLock@", "1 reader");
    }
  }

  @Test
  void waitingForOneselfIsAnErrorNotADeadlock() {
    Actor<Void> owner =
        world()
            .start(
                "owner",
                () -> {
                  write.lock();
                  assertSelfLockRefused();
                  write.unlock();
                  try (Guard guard = write.guard()) {
                    assertThat(guard).isNotNull();
                    assertSelfLockRefused();
                  }
                });
    owner.result();
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(lock.waiting()).isZero();
    assertThat(write.tryLock()).isTrue();
  }

  private void assertSelfLockRefused() throws Exception {
    for (VoidBody<Exception> call :
        List.<VoidBody<Exception>>of(
            write::lock,
            write::lockInterruptibly,
            write::guard,
            () -> write.tryLock(LONG),
            () -> write.tryLock(1, TimeUnit.HOURS),
            () -> write.guard(LONG),
            read::lock,
            read::lockInterruptibly,
            read::guard,
            () -> read.tryLock(LONG),
            () -> read.tryLock(1, TimeUnit.HOURS),
            () -> read.guard(LONG),
            lock::upgradable,
            () -> lock.upgradable(LONG))) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalMonitorStateException.class)
          .hasMessageContaining("This thread holds the write lock of RwLock@");
      assertThat(write.isHeldByCurrentThread()).isTrue();
      assertThat(lock.waiting()).isZero();
    }
    assertThat(read.tryLock()).isFalse();
    assertThat(write.tryLock()).isFalse();
    assertThat(read.tryGuard()).isEmpty();
    assertThat(write.tryGuard()).isEmpty();
    assertThat(lock.tryUpgradable()).isEmpty();
  }

  @Test
  void unlockingWhatIsNotHeldChangesNothing() {
    assertThatThrownBy(read::unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("unlocked");
    assertThatThrownBy(write::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(lock::downgrade).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(lock.readerCount()).isZero();
    read.lock();
    assertThatThrownBy(write::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(lock::downgrade).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(lock.readerCount()).isEqualTo(1);
    read.unlock();
    write.lock();
    assertThatThrownBy(read::unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("write-locked");
    assertThat(world().start("stranger", write::unlock).failure()).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(world().start("stranger", lock::downgrade).failure()).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(write.isHeldByCurrentThread()).isTrue();
    write.unlock();
    assertThat(write.tryLock()).isTrue();
  }

  /** A reader unlocks, which hands the lock over to whoever waits to write, and unlocks again before that one has gone on. */
  private void assertUnlockedOnlyOnce(RwLock of) {
    of.readLock().unlock();
    assertThatThrownBy(of.readLock()::unlock).isInstanceOf(IllegalMonitorStateException.class);
    assertThat(of.isWriteLocked()).isTrue();
    assertThat(of.readLock().tryLock()).isFalse();
  }

  @Test
  void unlockingTwiceWhileTheLockIsHandedOverChangesNothing() throws Exception {
    RwLock few = RwLock.withMaxReaders(2);
    for (RwLock of : List.of(lock, few)) {
      of.readLock().lock();
      Actor<Guard> writer = world().call("writer", of.writeLock()::guard);
      assertUnlockedOnlyOnce(of);
      writer.result().close();
      of.readLock().lock();
      Actor<Guard> selecting = world().call("select", Select.of(Select.lock(of.writeLock(), guard -> (Guard) guard))::run);
      assertUnlockedOnlyOnce(of);
      selecting.result().close();
      assertThat(of.readerCount()).isZero();
      assertThat(of.writeLock().tryLock()).isTrue();
    }
  }

  @Test
  void unlockingTwiceWhileAnUpgradeIsGrantedChangesNothing() {
    read.lock();
    Actor<UpgradableGuard> upgrader =
        world()
            .call(
                "upgrader",
                () -> {
                  UpgradableGuard guard = lock.upgradable();
                  guard.upgrade();
                  return guard;
                });
    assertThat(upgrader.isWaiting()).isTrue();
    assertUnlockedOnlyOnce(lock);
    upgrader.result().close();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  @SuppressWarnings("WaitNotInLoop") // there are no spurious wake-ups
  void unlockingTwiceWhileASignalledWriterGetsTheLockBackChangesNothing() throws Exception {
    Condition condition = write.newCondition();
    Actor<Guard> signalled =
        world()
            .call(
                "signalled",
                () -> {
                  Guard guard = write.guard();
                  condition.await();
                  return guard;
                });
    write.lock();
    condition.signal();
    lock.downgrade();
    assertUnlockedOnlyOnce(lock);
    signalled.result().close();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void aWriterThatIsInterruptedWhileTheLockIsHandedOverLeavesItToReaders() {
    read.lock();
    Actor<Void> writer = world().start("writer", () -> write.withLock(() -> counter++));
    read.unlock();
    writer.interrupt();
    Eventually.holds(world(), writer::isDone);
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(read.tryLock()).isTrue();
    read.unlock();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // what is tested is null
  void nullIsRefusedAndChangesNothing() {
    assertThatThrownBy(() -> read.withLock((VoidBody<RuntimeException>) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> write.withLock((Body<Void, RuntimeException>) null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> read.tryLock(null)).isInstanceOf(NullPointerException.class).hasMessage("timeout");
    assertThatThrownBy(() -> read.tryLock(1, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> write.lockAsync(null)).isInstanceOf(NullPointerException.class).hasMessage("timeout");
    assertThatThrownBy(() -> lock.upgradable(null)).isInstanceOf(NullPointerException.class).hasMessage("timeout");
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void aReadGuardUnlocksOnceFromAnyThread() throws Exception {
    Guard first = read.guard();
    Optional<Guard> second = read.tryGuard();
    assertThat(lock.readerCount()).isEqualTo(2);
    world().start("closer", first::close).result();
    first.close();
    assertThat(lock.readerCount()).isEqualTo(1);
    second.orElseThrow().close();
    second.orElseThrow().close();
    assertThat(lock.readerCount()).isZero();
  }

  @Test
  void aReadGuardWhoseReadWasUnlockedOtherwiseHarmsNoWriter() throws Exception {
    Guard guard = read.guard();
    read.unlock();
    guard.close();
    assertThat(write.tryLock()).isTrue();
    Guard unlocked = writeThenRead();
    assertThat(write.tryLock()).isTrue();
    unlocked.close();
    assertThat(lock.isWriteLocked()).isTrue();
    assertThat(read.tryLock()).isFalse();
  }

  private Guard writeThenRead() throws InterruptedException {
    write.unlock();
    Guard guard = read.guard();
    read.unlock();
    return guard;
  }

  @Test
  void withLockUnlocksHoweverTheBodyEnds() throws Exception {
    assertThat(read.withLock(() -> lock.readerCount())).isEqualTo(1);
    assertThat(write.withLock(() -> write.isHeldByCurrentThread())).isTrue();
    for (GuardedLock<?> side : List.of(read, write)) {
      assertThatThrownBy(
              () ->
                  side.withLock(
                      () -> {
                        throw new java.io.IOException("as it is");
                      }))
          .isInstanceOf(java.io.IOException.class);
    }
    assertThat(lock.readerCount()).isZero();
    assertThat(lock.isWriteLocked()).isFalse();
  }

  @Test
  @SuppressWarnings("WaitNotInLoop") // what is tested is one wait
  void theWriteLockHasConditionsAndTheReadLockHasNone() {
    assertThatThrownBy(read::newCondition)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("write lock");
    Condition condition = write.newCondition();
    Actor<Integer> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  try (WriteGuard guard = write.guard()) {
                    condition.await();
                    assertThat(write.isHeldByCurrentThread()).isTrue();
                    return guard == null ? 0 : counter;
                  }
                });
    assertThat(waiter.isWaiting()).isTrue();
    assertThat(lock.isWriteLocked()).isFalse();
    assertThat(read.tryLock()).isTrue();
    assertThatThrownBy(condition::signal).isInstanceOf(IllegalMonitorStateException.class);
    read.unlock();
    write.lock();
    counter = 7;
    condition.signal();
    Actor<Void> behind = reader();
    assertThat(waiter.isDone()).isFalse();
    write.unlock();
    assertThat(waiter.result()).isEqualTo(7);
    behind.result();
    read.unlock();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  @SuppressWarnings("WaitNotInLoop") // what is tested is one wait
  void aWaitForAConditionThatTimesOutLeavesWithTheLock() {
    Condition condition = write.newCondition();
    Actor<Boolean> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  write.lock();
                  boolean signalled = condition.await(20, TimeUnit.MILLISECONDS);
                  write.unlock();
                  return signalled;
                });
    world().pass(SHORT);
    assertThat(waiter.result()).isFalse();
    assertThat(write.tryLock()).isTrue();
  }
}

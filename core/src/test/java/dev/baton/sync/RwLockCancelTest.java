// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.world.Actor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class RwLockCancelTest extends InEveryWorld {
  private final RwLock lock = new RwLock();
  private final ReadLock read = lock.readLock();
  private final WriteLock write = lock.writeLock();

  @Test
  void aWriterThatGivesUpLetsTheReadersBehindItInAtOnce() {
    read.lock();
    Actor<Boolean> timed = world().call("timed", () -> write.tryLock(SHORT));
    Actor<Void> behindTimed = world().start("reader", read::lock);
    // On threads a slow machine may let the time pass before the reader comes.
    assertThat(behindTimed.isWaiting() || timed.isDone()).isTrue();
    world().pass(SHORT);
    assertThat(timed.result()).isFalse();
    behindTimed.result();
    Actor<Void> interrupted = world().start("interrupted", write::lockInterruptibly);
    Actor<Void> behindInterrupted = world().start("reader", read::lock);
    assertThat(behindInterrupted.isWaiting()).isTrue();
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    behindInterrupted.result();
    CompletableFuture<WriteGuard> future = write.lockAsync();
    Actor<Void> behindFuture = world().start("reader", read::lock);
    assertThat(behindFuture.isWaiting()).isTrue();
    assertThat(future.cancel(false)).isTrue();
    behindFuture.result();
    assertThat(lock.readerCount()).isEqualTo(4);
    assertThat(lock.waiting()).isZero();
  }

  @Test
  void aReaderThatGivesUpHoldsNothing() {
    write.lock();
    Actor<Boolean> timed = world().call("timed", () -> read.tryLock(SHORT));
    Actor<Boolean> timedUnits = world().call("timed", () -> read.tryLock(20, TimeUnit.MILLISECONDS));
    Actor<Guard> timedGuard = world().call("timed", () -> read.guard(SHORT));
    Actor<WriteGuard> timedWrite = world().call("timed", () -> write.guard(SHORT));
    Actor<Void> interrupted = world().start("interrupted", read::lockInterruptibly);
    Actor<Boolean> patient = world().call("patient", () -> read.tryLock(LONG));
    world().pass(SHORT);
    assertThat(timed.result()).isFalse();
    assertThat(timedUnits.result()).isFalse();
    assertThat(timedGuard.failure()).isInstanceOf(TimeoutException.class);
    assertThat(timedWrite.failure()).isInstanceOf(TimeoutException.class);
    interrupted.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    assertThat(lock.waiting()).isEqualTo(1);
    write.unlock();
    assertThat(patient.result()).isTrue();
    assertThat(lock.readerCount()).isEqualTo(1);
  }

  @Test
  void lockIgnoresInterruptsAndKeepsThem() {
    write.lock();
    Actor<Void> reader = world().start("reader", read::lock);
    Actor<Void> writer = world().start("writer", write::lock);
    reader.interrupt();
    writer.interrupt();
    world().settle();
    assertThat(lock.waiting()).isEqualTo(2);
    write.unlock();
    reader.result();
    assertThat(reader.endedInterrupted()).isTrue();
    read.unlock();
    writer.result();
    assertThat(writer.endedInterrupted()).isTrue();
  }

  @Test
  void anInterruptedCallerTakesNothing() {
    for (VoidBody<Exception> call :
        List.<VoidBody<Exception>>of(
            read::lockInterruptibly,
            read::guard,
            () -> read.tryLock(LONG),
            () -> read.tryLock(Duration.ZERO),
            write::lockInterruptibly,
            write::guard,
            () -> write.tryLock(LONG),
            () -> write.tryLock(Duration.ZERO),
            lock::upgradable,
            () -> lock.upgradable(LONG))) {
      Actor<Void> caller =
          world()
              .start(
                  "interrupted",
                  () -> {
                    Thread.currentThread().interrupt();
                    call.run();
                  });
      assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
      assertThat(write.tryLock()).isTrue();
      write.unlock();
    }
  }

  @Test
  void anAsyncLockBelongsToItsGuard() {
    CompletableFuture<Guard> reading = read.lockAsync();
    CompletableFuture<WriteGuard> writing = write.lockAsync();
    CompletableFuture<Guard> behind = read.lockAsync(LONG);
    assertThat(reading.isDone()).isTrue();
    assertThat(writing.isDone()).isFalse();
    assertThat(behind.isDone()).isFalse();
    assertThat(lock.readerCount()).isEqualTo(1);
    world().start("closer", () -> reading.join().close()).result();
    WriteGuard guard = writing.join();
    assertThat(lock.isWriteLocked()).isTrue();
    assertThat(write.isHeldByCurrentThread()).isFalse();
    Guard downgraded = guard.downgrade();
    behind.join().close();
    assertThat(lock.readerCount()).isEqualTo(1);
    downgraded.close();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void anAsyncLockTimesOut() {
    write.lock();
    assertThat(read.lockAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    assertThat(write.lockAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    for (GuardedLock<?> side : List.of(read, write)) {
      Actor<Throwable> asker =
          world()
              .call(
                  "asker",
                  () -> {
                    CompletableFuture<?> future = side.lockAsync(SHORT);
                    Semaphore ended = Semaphore.unbounded(0);
                    future.whenComplete((guard, failure) -> ended.release());
                    ended.acquire();
                    return future.exceptionNow();
                  });
      world().pass(SHORT);
      assertThat(asker.result()).isInstanceOf(TimeoutException.class);
      assertThat(lock.waiting()).isZero();
    }
    write.unlock();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void anAsyncLockCancelledTooLateKeepsItsGuard() {
    CompletableFuture<WriteGuard> writing = write.lockAsync();
    assertThat(writing.cancel(false)).isFalse();
    assertThat(lock.isWriteLocked()).isTrue();
    writing.join().close();
    CompletableFuture<Guard> reading = read.lockAsync();
    assertThat(reading.complete(null)).isFalse();
    assertThat(lock.readerCount()).isEqualTo(1);
    reading.join().close();
    assertThat(write.tryLock()).isTrue();
  }

  @Test
  void anAsyncLockCompletedByAnotherGoesOnToTheNext() {
    write.lock();
    CompletableFuture<Guard> reading = read.lockAsync();
    CompletableFuture<WriteGuard> next = write.lockAsync();
    assertThat(reading.complete(null)).isTrue();
    write.unlock();
    assertThat(next.isDone()).isTrue();
    assertThat(lock.readerCount()).isZero();
    next.join().close();
    assertThat(lock.isWriteLocked()).isFalse();
  }
}

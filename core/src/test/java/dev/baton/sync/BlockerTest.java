// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.world.World;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Thread dumps name what a thread waits for. */
class BlockerTest {

  @Test
  void aWaitingThreadIsParkedOnThePrimitive() throws Exception {
    for (Thread.Builder threads : new Thread.Builder[] {Thread.ofVirtual(), Thread.ofPlatform().daemon()}) {
      Semaphore semaphore = Semaphore.unbounded(0);
      Mutex mutex = new Mutex();
      Mutex free = new Mutex();
      Condition condition = free.newCondition();
      mutex.lock();
      assertBlockedOn(semaphore, threads, semaphore::acquireUninterruptibly);
      assertBlockedOn(mutex, threads, mutex::lock);
      assertBlockedOn(
          condition,
          threads,
          () -> {
            free.lock();
            condition.awaitUninterruptibly();
            free.unlock();
          });
      Notify notify = new Notify();
      Barrier barrier = Barrier.of(2);
      Event event = new Event();
      Promise<String> promise = new Promise<>();
      OnceCell<String> cell = new OnceCell<>();
      assertBlockedOn(notify, threads, notify::awaitUninterruptibly);
      assertBlockedOn(barrier, threads, barrier::awaitUninterruptibly);
      assertBlockedOn(event, threads, event::awaitUninterruptibly);
      assertBlockedOn(promise.future(), threads, () -> swallow(promise.future()::awaitUninterruptibly));
      cell.getOrInit(
          () -> {
            assertBlockedOn(cell, threads, () -> swallow(() -> cell.getOrInit(() -> "never")));
            return "value";
          });
      notify.notifyOne();
      barrier.awaitUninterruptibly();
      event.set();
      promise.complete("value");
      semaphore.release();
      mutex.unlock();
      try (Guard guard = free.guard()) {
        assertThat(condition.toString()).contains(guard.toString().substring(6, 15));
        condition.signalAll();
      }
    }
  }

  private static void swallow(VoidBody<Exception> wait) {
    try {
      wait.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void assertBlockedOn(Object primitive, Thread.Builder threads, Runnable wait) {
    Thread thread = threads.start(wait);
    long end = System.nanoTime() + World.PATIENCE.toNanos();
    while (LockSupport.getBlocker(thread) != primitive) {
      assertThat(System.nanoTime()).as("%s should wait for %s", thread, primitive).isLessThan(end);
      Thread.onSpinWait();
    }
  }
}

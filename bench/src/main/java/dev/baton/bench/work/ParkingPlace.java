// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.sync.Mutex;
import dev.baton.sync.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Somewhere to wait until it is opened. Each calls its class directly, so that no frame of ours is counted. */
@SuppressWarnings("LockNotBeforeTry") // the locks guard nothing: waiting for them is the work
interface ParkingPlace {
  void close() throws InterruptedException;

  void await() throws InterruptedException;

  void open(Thread[] waiting);

  static ParkingPlace of(Peer peer) {
    return switch (peer) {
      case BARE_PARK -> new Bare();
      case BATON -> new InBatonSemaphore(Semaphore.of(1));
      case JUC_FAIR -> new InJucSemaphore(new java.util.concurrent.Semaphore(1, true));
      case BATON_MUTEX -> new InBatonMutex(new Mutex());
      case LOCK_FAIR -> new InReentrantLock(new ReentrantLock(true));
      default -> throw new IllegalArgumentException(peer.label() + " has no place for threads to wait");
    };
  }

  /** The floor: a parked thread and nothing else. */
  final class Bare implements ParkingPlace {
    private volatile boolean opened;

    @Override
    public void close() {
      opened = false;
    }

    @Override
    public void await() {
      while (!opened) {
        LockSupport.park();
      }
    }

    @Override
    public void open(Thread[] waiting) {
      opened = true;
      for (Thread thread : waiting) {
        LockSupport.unpark(thread);
      }
    }
  }

  record InBatonSemaphore(Semaphore semaphore) implements ParkingPlace {
    @Override
    public void close() throws InterruptedException {
      semaphore.acquire();
    }

    @Override
    public void await() throws InterruptedException {
      semaphore.acquire();
      semaphore.release();
    }

    @Override
    public void open(Thread[] waiting) {
      semaphore.release();
    }
  }

  record InJucSemaphore(java.util.concurrent.Semaphore semaphore) implements ParkingPlace {
    @Override
    public void close() throws InterruptedException {
      semaphore.acquire();
    }

    @Override
    public void await() throws InterruptedException {
      semaphore.acquire();
      semaphore.release();
    }

    @Override
    public void open(Thread[] waiting) {
      semaphore.release();
    }
  }

  record InBatonMutex(Mutex mutex) implements ParkingPlace {
    @Override
    public void close() {
      mutex.lock();
    }

    @Override
    public void await() {
      mutex.lock();
      mutex.unlock();
    }

    @Override
    public void open(Thread[] waiting) {
      mutex.unlock();
    }
  }

  record InReentrantLock(ReentrantLock lock) implements ParkingPlace {
    @Override
    public void close() {
      lock.lock();
    }

    @Override
    public void await() {
      lock.lock();
      lock.unlock();
    }

    @Override
    public void open(Thread[] waiting) {
      lock.unlock();
    }
  }
}

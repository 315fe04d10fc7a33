// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.host.Hosts;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import dev.baton.sync.Barrier;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.Notify;
import dev.baton.sync.OnceCell;
import dev.baton.sync.Permit;
import dev.baton.sync.Promise;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/** A program drawn by a number: a few tasks that do this and that with shared primitives. It may deadlock. */
final class RandomProgram implements Callable<Long> {
  private final long number;
  private final Semaphore semaphore = Semaphore.of(2);
  private final List<Mutex> mutexes = List.of(new Mutex(), new Mutex());
  private final RwLock lock = new RwLock();
  private final Notify notify = new Notify();
  private final Event event = new Event();
  private final Promise<Long> promise = new Promise<>();
  private final Barrier barrier = Barrier.of(2);
  private final OnceCell<Long> cell = new OnceCell<>();

  /** Depends on the order of everything. */
  private final AtomicLong hash = new AtomicLong();

  RandomProgram(long number) {
    this.number = number;
  }

  @Override
  public Long call() throws Exception {
    Random random = new Random(number);
    Scope.run(
        scope -> {
          List<Task<Object>> tasks = new ArrayList<>();
          int count = 2 + random.nextInt(4);
          for (int i = 0; i < count; i++) {
            Random own = new Random(random.nextLong());
            int task = i;
            int length = 1 + random.nextInt(6);
            tasks.add(
                scope.fork(
                    () -> {
                      for (int j = 0; j < length; j++) {
                        mix(task);
                        doSomething(own);
                      }
                      return null;
                    }));
          }
          if (random.nextInt(4) == 0) {
            tasks.get(random.nextInt(count)).cancel();
          }
          if (random.nextInt(2) == 0) {
            event.set();
            promise.complete(1L);
            notify.notifyEveryone();
          }
          scope.join();
        });
    return hash.get();
  }

  private void mix(int value) {
    hash.updateAndGet(h -> h * 31 + value);
  }

  private void doSomething(Random random) throws Exception {
    Duration soon = Duration.ofMillis(1 + random.nextInt(5));
    switch (random.nextInt(14)) {
      case 0 -> {
        try (Permit permit = semaphore.hold(1 + random.nextInt(2))) {
          mix((int) permit.count());
          Time.sleep(soon);
        }
      }
      case 1 -> {
        if (semaphore.tryAcquire(soon)) {
          mix(100);
          semaphore.release();
        }
      }
      case 2 -> mutexes.get(random.nextInt(2)).withLock(() -> Time.sleep(soon));
      case 3 -> mutexes.get(0).withLock(() -> mutexes.get(1).withLock(() -> mix(3)));
      case 4 -> mutexes.get(1).withLock(() -> mutexes.get(0).withLock(() -> mix(4)));
      case 5 -> lock.readLock().withLock(() -> Time.sleep(soon));
      case 6 -> lock.writeLock().withLock(() -> mix(6));
      case 7 -> notify.notifyOne();
      case 8 -> mix(notify.await(soon) ? 8 : 9);
      case 9 -> mix(event.await(soon) ? 10 : 11);
      case 10 -> promise.complete((long) random.nextInt(10));
      case 11 -> mix(cell.getOrInit(() -> 5L).intValue());
      case 12 -> mix(Hosts.current().nextInt(1_000));
      default -> {
        if (random.nextInt(8) == 0) {
          barrier.await();
        } else {
          Scope.run(
              inner -> {
                inner.fork(() -> { mix(13); return null; });
                inner.fork(() -> { Time.sleep(soon); mix(14); return null; });
                inner.join();
              });
        }
      }
    }
  }
}

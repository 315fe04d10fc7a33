// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static dev.baton.host.Waiter.GRANTED;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What was written before a release is read after the acquire it made possible. The data is plain. */
public class Publication {

  /** Both on the fast path. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "nothing taken, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class FastToFast {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private int data;

    @Actor
    public void release() {
      data = 1;
      queue.giveOne();
    }

    @Actor
    public void take(I_Result r) {
      r.r1 = queue.tryTake(1) ? data : -1;
    }
  }

  /** Several permits: compare-and-set on both sides. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "nothing taken, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class WeightedToWeighted {
    private final PermitQueue queue = new PermitQueue(2, 0);
    private int data;

    @Actor
    public void release() {
      data = 1;
      queue.give(2);
    }

    @Actor
    public void take(I_Result r) {
      r.r1 = queue.tryTake(2) ? data : -1;
    }
  }

  /** An acquirer that comes while the permit is on its way: fast, by the pump of the enqueuer, or by that of the releaser. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not granted yet, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class FastToQueue {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private final Request request = new Request(1);
    private int data;

    @Actor
    public void release() {
      data = 1;
      queue.giveOne();
    }

    @Actor
    public void take(I_Result r) {
      boolean granted = queue.takeOne() || queue.enqueue(request, true) == GRANTED || request.outcome() == GRANTED;
      r.r1 = granted ? data : -1;
    }
  }

  /** A waiter that stands in the queue already. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not granted yet, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PumpToWaiter {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private final Request request = new Request(1);
    private int data;

    /** With a waiter. */
    public PumpToWaiter() {
      queue.enqueue(request, false);
    }

    @Actor
    public void release() {
      data = 1;
      queue.giveOne();
    }

    @Actor
    public void look(I_Result r) {
      r.r1 = request.outcome() == GRANTED ? data : -1;
    }
  }

  /** The waiter was granted by somebody else's cancel, with a permit that was returned before. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not granted yet, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class CancelToNext {
    private final PermitQueue queue = new PermitQueue(2, 0);
    private final Request large = new Request(2);
    private final Request small = new Request(1);
    private int data;

    /** The small one stands behind the large one. */
    public CancelToNext() {
      queue.enqueue(large, false);
      queue.enqueue(small, false);
    }

    @Actor
    public void release() {
      data = 1;
      queue.giveOne();
    }

    @Actor
    public void cancel(I_Result r) {
      queue.cancel(large);
      r.r1 = small.outcome() == GRANTED ? data : -1;
    }
  }

  /** Threads that really sleep. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class Blocking {
    private final Semaphore semaphore = Semaphore.of(1);
    private int data;

    /** Held. */
    public Blocking() {
      semaphore.acquireUninterruptibly();
    }

    @Actor
    public void release() {
      data = 1;
      semaphore.release();
    }

    @Actor
    public void acquire(I_Result r) {
      semaphore.acquireUninterruptibly();
      r.r1 = data;
    }
  }

  /** Through a future. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class Future {
    private final Semaphore semaphore = Semaphore.of(1);
    private int data;

    /** Held. */
    public Future() {
      semaphore.acquireUninterruptibly();
    }

    @Actor
    public void release() {
      data = 1;
      semaphore.release();
    }

    @Actor
    public void acquire(I_Result r) {
      CompletableFuture<Permit> future = semaphore.acquireAsync();
      future.join();
      r.r1 = data;
    }
  }

  /** A plain counter under a mutex, and its owner. */
  @JCStressTest
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "both counted, both were owners")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class MutexCounter {
    private final Mutex mutex = new Mutex();
    private int counter;
    private int owners;

    @Actor
    public void one() {
      count();
    }

    @Actor
    public void other() {
      count();
    }

    private void count() {
      mutex.lock();
      counter++;
      if (mutex.isHeldByCurrentThread()) {
        owners++;
      }
      mutex.unlock();
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = counter;
      r.r2 = owners;
    }
  }

  /** A mutex taken by try, beside its hand-over. */
  @JCStressTest
  @Outcome(id = {"1, 1", "1, 2"}, expect = ACCEPTABLE, desc = "the try came too early, or counted too")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class MutexTry {
    private final Mutex mutex = new Mutex();
    private int counter;
    private int expected = 1;

    @Actor
    public void lock() {
      mutex.lock();
      counter++;
      mutex.unlock();
    }

    @Actor
    public void tryLock() {
      if (mutex.tryLock()) {
        counter++;
        expected++;
        mutex.unlock();
      }
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = counter == expected ? 1 : 0;
      r.r2 = counter;
    }
  }

  /** A condition: the data was written before the signal. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class Signal {
    private final Mutex mutex = new Mutex();
    private final Condition condition = mutex.newCondition();
    private boolean ready;
    private int data;

    @Actor
    public void signal() {
      data = 1;
      mutex.lock();
      ready = true;
      condition.signal();
      mutex.unlock();
    }

    @Actor
    public void await(I_Result r) {
      mutex.lock();
      while (!ready) {
        condition.awaitUninterruptibly();
      }
      mutex.unlock();
      r.r1 = data;
    }
  }

  /** Permits made by growing. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "nothing taken, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class Growing {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private int data;

    @Actor
    public void grow() {
      data = 1;
      queue.resize(2);
    }

    @Actor
    public void take(I_Result r) {
      r.r1 = queue.tryTake(1) ? data : -1;
    }
  }
}

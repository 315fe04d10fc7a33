// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.SuspendGate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.Unit;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.GlobalScope;
import kotlinx.coroutines.Job;

/** Coroutines that wait to enter; cancelling their jobs is what interrupting is to threads. */
final class CoroutineWaiters implements Waiters {
  private final SuspendGate gate;
  private final Job[] jobs;
  private final AtomicInteger cancelled = new AtomicInteger();
  private final CountDownLatch running;

  CoroutineWaiters(SuspendGate gate, int size) {
    this.gate = gate;
    jobs = new Job[size];
    running = new CountDownLatch(size);
  }

  @Override
  public void queue() {
    Immediate.check(gate.enter(new Immediate()));
    for (int i = 0; i < jobs.length; i++) {
      // Undispatched: runs here until it suspends, so it waits when launch returns; resumed on the pool as usual.
      jobs[i] =
          BuildersKt.launch(
              GlobalScope.INSTANCE,
              Dispatchers.getDefault(),
              CoroutineStart.UNDISPATCHED,
              (scope, caller) -> gate.enter(caller));
      jobs[i].invokeOnCompletion(
          failure -> {
            if (failure != null) {
              cancelled.incrementAndGet();
            }
            running.countDown();
            return Unit.INSTANCE;
          });
    }
  }

  @Override
  public void interruptAll() {
    for (Job job : jobs) {
      job.cancel(null);
    }
  }

  @Override
  public void awaitEnd() throws InterruptedException {
    running.await();
  }

  @Override
  public void verify() {
    Expect.equal("waiters that were cancelled", jobs.length, cancelled.get());
    Expect.equal("free permits while the only one is held", 0, gate.free());
    gate.leave();
    Expect.equal("free permits at the end", 1, gate.free());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A wait that is given up as it is granted: one outcome, and no permit lost or made. */
public class Cancel {

  /** A time-out. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "gave up, the permit is free")
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "granted")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TimeOutAgainstGrant {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private final Request request = new Request(1);

    /** With a waiter. */
    public TimeOutAgainstGrant() {
      queue.enqueue(request, false);
    }

    @Actor
    public void release() {
      queue.giveOne();
    }

    @Actor
    public void giveUp(III_Result r) {
      r.r1 = queue.cancel(request) ? 1 : 0;
    }

    @Arbiter
    public void end(III_Result r) {
      r.r2 = request.outcome();
      r.r3 = (int) queue.available();
    }
  }

  /** An interrupt, with another waiter behind. */
  @JCStressTest
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "the permit went on to the next")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class InterruptAgainstGrant {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private final Request request = new Request(1);
    private final Request next = new Request(1);

    /** With two waiters. */
    public InterruptAgainstGrant() {
      queue.enqueue(request, false);
      queue.enqueue(next, false);
    }

    @Actor
    public void release() {
      queue.giveOne();
    }

    @Actor
    public void giveUp() {
      queue.leave(request);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r1 = next.outcome();
      r.r2 = (int) queue.available();
      r.r3 = queue.waiting();
    }
  }

  /** A future. */
  @JCStressTest
  @Outcome(id = {"1, 1", "0, 0"}, expect = ACCEPTABLE, desc = "cancelled and free, or granted and held")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class FutureAgainstGrant {
    private final Semaphore semaphore = Semaphore.of(1);
    private final CompletableFuture<Permit> future;

    /** With a waiting future. */
    public FutureAgainstGrant() {
      semaphore.acquireUninterruptibly();
      future = semaphore.acquireAsync();
    }

    @Actor
    public void release() {
      semaphore.release();
    }

    @Actor
    public void cancel(II_Result r) {
      r.r1 = future.cancel(false) ? 1 : 0;
    }

    @Arbiter
    public void end(II_Result r) {
      r.r2 = (int) semaphore.available();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static dev.baton.host.Waiter.GRANTED;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.Request;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Whoever is on the way in while close runs is told so. */
public class CloseAgainstAcquire {

  /** Nothing is free. */
  @JCStressTest
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "found it closed")
  @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "queued, then refused")
  @Outcome(expect = FORBIDDEN, desc = "queued for ever")
  @State
  public static class NothingFree {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private final Request request = new Request(1);

    @Actor
    public void close() {
      queue.close();
    }

    @Actor
    public void acquire(II_Result r) {
      r.r1 = queue.takeOne() ? GRANTED : queue.enqueue(request, true);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r2 = request.outcome();
    }
  }

  /** One permit is free. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "granted before, and held")
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "found it closed, and nothing is held")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class OneFree {
    private final PermitQueue queue = new PermitQueue(1, 1);
    private final Request request = new Request(1);

    @Actor
    public void close() {
      queue.close();
    }

    @Actor
    public void acquire(II_Result r) {
      r.r1 = queue.takeOne() ? GRANTED : queue.enqueue(request, true);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r2 = (int) queue.state().held();
    }
  }

  /** A permit comes back meanwhile. */
  @JCStressTest
  @Outcome(id = {"1, 1", "2, 0"}, expect = ACCEPTABLE, desc = "granted and held, or closed and nothing held")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class OneComesBack {
    private final PermitQueue queue = new PermitQueue(1, 0);
    private final Request request = new Request(1);

    /** With a waiter. */
    public OneComesBack() {
      queue.enqueue(request, false);
    }

    @Actor
    public void close() {
      queue.close();
    }

    @Actor
    public void release() {
      queue.giveOne();
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = request.outcome();
      r.r2 = (int) queue.state().held();
    }
  }
}

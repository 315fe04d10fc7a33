// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.QueueState;
import dev.baton.internal.kernel.Request;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Looking while others act. The fields behind it are plain and guarded by the small lock: counts must add up at every instant. */
public class Look {

  /** Beside a return that serves a waiter, and a waiter that leaves. */
  @JCStressTest
  @Outcome(id = "0, [01], [012]", expect = ACCEPTABLE, desc = "adds up, and is in range")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class BesideAQueue {
    private final PermitQueue queue = new PermitQueue(2, 0);
    private final Request large = new Request(2);
    private final Request small = new Request(1);

    /** With two waiters. */
    public BesideAQueue() {
      queue.enqueue(large, false);
      queue.enqueue(small, false);
    }

    @Actor
    public void release() {
      queue.giveOne();
      queue.cancel(large);
    }

    @Actor
    public void look(III_Result r) {
      r.r1 = missing(queue);
      r.r2 = (int) queue.available();
      r.r3 = queue.waiting();
    }
  }

  /** Beside a limit that changes and a request that comes. */
  @JCStressTest
  @Outcome(id = "0, [0123], [01]", expect = ACCEPTABLE, desc = "adds up, and is in range")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class BesideAChangingLimit {
    private final PermitQueue queue = new PermitQueue(2, 1);
    private final Request request = new Request(2);

    @Actor
    public void change() {
      queue.resize(1);
      queue.resize(3);
      if (!queue.tryTake(2)) {
        queue.enqueue(request, false);
      }
    }

    @Actor
    public void look(III_Result r) {
      r.r1 = missing(queue);
      r.r2 = (int) queue.available();
      r.r3 = queue.waiting();
    }
  }

  private static int missing(PermitQueue queue) {
    QueueState s = queue.state();
    return (int) (s.limit() + s.debt() - s.free() - s.reserved() - s.held());
  }
}

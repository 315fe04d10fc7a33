// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.internal.kernel.PermitQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Taking and giving without a queue: nothing is used twice, nothing above the limit is used at all. */
public class Word {

  /** Two for one permit. */
  @JCStressTest
  @Outcome(id = {"1, 0, 0", "0, 1, 0"}, expect = ACCEPTABLE, desc = "one of them")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TwoForOne {
    private final PermitQueue queue = new PermitQueue(1, 1);

    @Actor
    public void first(III_Result r) {
      if (queue.takeOne()) {
        r.r1 = 1;
      } else {
        queue.withdraw(1);
      }
    }

    @Actor
    public void second(III_Result r) {
      r.r2 = queue.tryTake(1) ? 1 : 0;
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = (int) queue.available();
    }
  }

  /** A weighted and a unit request for three. */
  @JCStressTest
  @Outcome(id = {"1, 0, 0", "0, 1, 2"}, expect = ACCEPTABLE, desc = "one of them")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class WeightedAgainstUnit {
    private final PermitQueue queue = new PermitQueue(3, 3);

    @Actor
    public void three(III_Result r) {
      r.r1 = queue.tryTake(3) ? 1 : 0;
    }

    @Actor
    public void one(III_Result r) {
      if (queue.takeOne()) {
        r.r2 = 1;
      } else {
        queue.withdraw(1);
      }
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = (int) queue.available();
    }
  }

  /** A try beside the release it needs. */
  @JCStressTest
  @Outcome(id = {"1, 0, 1", "1, 1, 0"}, expect = ACCEPTABLE, desc = "before or after")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TryAgainstRelease {
    private final PermitQueue queue = new PermitQueue(1, 0);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.giveOne() ? 1 : 0;
    }

    @Actor
    public void tryTake(III_Result r) {
      r.r2 = queue.tryTake(1) ? 1 : 0;
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = (int) queue.available();
    }
  }

  /** A return of what nobody holds, beside a request. */
  @JCStressTest
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "as if it had come after the request")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class WrongReturnAgainstTry {
    private final PermitQueue queue = new PermitQueue(1, 1);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.giveOne() ? 1 : 0;
    }

    @Actor
    public void tryTake(III_Result r) {
      r.r2 = queue.tryTake(1) ? 1 : 0;
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = (int) queue.available();
    }
  }

  /** Two returns of what nobody holds, beside a request for more than there is. */
  @JCStressTest
  @Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "both refused, nothing taken")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class WrongReturnsAgainstTooLargeATry {
    private final PermitQueue queue = new PermitQueue(2, 2);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.giveOne() ? 1 : 0;
      r.r2 = queue.give(2) ? 1 : 0;
    }

    @Actor
    public void tryTake(III_Result r) {
      if (queue.tryTake(3)) {
        r.r3 = 10;
      }
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 += (int) queue.available();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.kernel.QueueState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The limit, which a return reads after its fetch-add, while it changes. */
public class Resize {

  /** A right return, and a shrink below what is held. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "one is held, the limit is reached")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ShrinkAgainstReturn {
    private final PermitQueue queue = new PermitQueue(2, 0);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.giveOne() ? 1 : 0;
    }

    @Actor
    public void shrink() {
      queue.resize(1);
    }

    @Arbiter
    public void end(III_Result r) {
      count(queue, r);
    }
  }

  /** A right return, and growth. */
  @JCStressTest
  @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "both are free")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class GrowthAgainstReturn {
    private final PermitQueue queue = new PermitQueue(1, 0);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.giveOne() ? 1 : 0;
    }

    @Actor
    public void grow() {
      queue.resize(2);
    }

    @Arbiter
    public void end(III_Result r) {
      count(queue, r);
    }
  }

  /** A return of what nobody holds, and a shrink. */
  @JCStressTest
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE_INTERESTING, desc = "dropped without an error")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ShrinkAgainstWrongReturn {
    private final PermitQueue queue = new PermitQueue(2, 2);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.giveOne() ? 1 : 0;
    }

    @Actor
    public void shrink() {
      queue.resize(1);
    }

    @Arbiter
    public void end(III_Result r) {
      count(queue, r);
    }
  }

  /** A return of what nobody holds, and growth. */
  @JCStressTest
  @Outcome(id = "0, 2, 0", expect = ACCEPTABLE, desc = "refused")
  @Outcome(id = "1, 2, 0", expect = ACCEPTABLE_INTERESTING, desc = "dropped without an error")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class GrowthAgainstWrongReturn {
    private final PermitQueue queue = new PermitQueue(1, 1);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.giveOne() ? 1 : 0;
    }

    @Actor
    public void grow() {
      queue.resize(2);
    }

    @Arbiter
    public void end(III_Result r) {
      count(queue, r);
    }
  }

  /** Down and up again, beside a weighted return. */
  @JCStressTest
  @Outcome(id = "1, 3, 0", expect = ACCEPTABLE, desc = "all are free")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class BothAgainstWeightedReturn {
    private final PermitQueue queue = new PermitQueue(2, 0);

    @Actor
    public void release(III_Result r) {
      r.r1 = queue.give(2) ? 1 : 0;
    }

    @Actor
    public void shrinkAndGrow() {
      queue.resize(1);
      queue.resize(3);
    }

    @Arbiter
    public void end(III_Result r) {
      count(queue, r);
    }
  }

  private static void count(PermitQueue queue, III_Result r) {
    QueueState state = queue.state();
    r.r2 = (int) state.free();
    r.r3 = (int) state.held();
  }
}

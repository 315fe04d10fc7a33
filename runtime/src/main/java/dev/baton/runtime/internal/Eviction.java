// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Stall;
import java.util.function.Consumer;

/** Throws tasks out of what they do when their run is to end. */
final class Eviction {
  /** After so many operations a task that is to end is thrown out of those that do not wait, too. */
  private static final int PATIENCE = 100;

  /** After so many operations a task that is to end, and catches whatever it is thrown out with, is left behind. */
  private static final int HOPELESS = 1_000;

  private final Consumer<Stall> onStall;
  private final Aside aside;
  private final Lifecycle lifecycle;
  private final Scheduler scheduler;

  /** Somebody who never goes is told to {@code onStall}. */
  Eviction(Consumer<Stall> onStall, Aside aside, Lifecycle lifecycle, Scheduler scheduler) {
    this.onStall = onStall;
    this.aside = aside;
    this.lifecycle = lifecycle;
    this.scheduler = scheduler;
  }

  /** Whether {@code me}, which begins an operation that does not wait, may do it, to clean up. */
  boolean tolerates(CooperativeTask me) {
    if (!me.unwinding || me.stepsWhileUnwinding >= PATIENCE) {
      return false;
    }
    me.stepsWhileUnwinding++;
    return true;
  }

  /** What throws {@code me} out. Does not return if that is in vain: it would never end, and nor would the run. */
  Unwind of(CooperativeTask me) {
    me.unwinding = true;
    if (++me.stepsWhileUnwinding > HOPELESS) {
      String reason = "catches whatever it is thrown out with, and is left behind";
      aside.run(() -> onStall.accept(Stalls.of(me, reason, 0)));
      lifecycle.ended(me);
      scheduler.leaveBehind(me);
    }
    return new Unwind();
  }
}

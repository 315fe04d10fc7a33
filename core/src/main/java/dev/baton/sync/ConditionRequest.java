// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.internal.kernel.Request;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A task that waits for a condition, and then for the lock. */
final class ConditionRequest extends Request {
  private static final AtomicIntegerFieldUpdater<ConditionRequest> ENDED =
      AtomicIntegerFieldUpdater.newUpdater(ConditionRequest.class, "ended");

  private volatile int ended;

  /** Whether it stands in the condition's list; guarded by the lock. */
  boolean listed = true;

  /** A request that will ask for {@code need} permits once it is signalled. */
  ConditionRequest(long need) {
    super(need);
  }

  /** Whether the wait for the condition has ended, by a signal or because it was given up. */
  boolean hasEnded() {
    return ended != 0;
  }

  /** Ends the wait for the condition: true for one caller, the signal or the one who gives up. */
  boolean end() {
    return ENDED.compareAndSet(this, 0, 1);
  }
}

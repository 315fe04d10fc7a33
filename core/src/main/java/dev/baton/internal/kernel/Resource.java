// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Host;
import org.jspecify.annotations.Nullable;

/**
 * A thing that is lent out: a node of a {@link ResourceQueue}, from when it was made until it is destroyed or taken out.
 *
 * <pre>
 *   holder ≠ null   lent to that one        idle   in the list of those that lie idle        neither   being destroyed
 * </pre>
 */
public final class Resource {
  private final Object value;

  /** Whoever has it. Written under the lock; who reads it without may only use it to find out that it is not itself. */
  private @Nullable Object holder;

  // Guarded by the lock.

  /** Its neighbours while it lies idle, from the one that was returned last to the one that was returned first. */
  @Nullable Resource older;

  @Nullable Resource newer;

  /** Its neighbours among all that exist. */
  @Nullable Resource nextLive;

  @Nullable Resource previousLive;

  /** Since when it lies idle, by the clock of the host on which it was returned; only if idle ones grow too old. */
  @Nullable Host clock;

  long idleSince;

  /** The thing itself. */
  public Resource(Object value) {
    this.value = value;
  }

  /** The thing itself. */
  public Object value() {
    return value;
  }

  /** Whether {@code someone} has it. Exact for one that only itself can end that. */
  public boolean isHeldBy(Object someone) {
    return holder == someone;
  }

  @Nullable Object holder() {
    return holder;
  }

  void holder(@Nullable Object newHolder) {
    holder = newHolder;
  }
}

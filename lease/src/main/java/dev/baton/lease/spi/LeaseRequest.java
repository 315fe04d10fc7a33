// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import dev.baton.host.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A request for a lease: one wait, and what it will get.
 *
 * <p>The store that serves it and the caller that gives it up race for it: whoever claims it decides it, and the other finds that done.
 */
public class LeaseRequest extends Waiter {
  private static final VarHandle CLAIMED;

  static {
    try {
      CLAIMED = MethodHandles.lookup().findVarHandle(LeaseRequest.class, "claimed", boolean.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final HeldLease lease;
  private final boolean mayWait;

  @SuppressWarnings("UnusedVariable") // through its handle
  private volatile boolean claimed;

  /** Why it failed; written before it is decided. */
  private @Nullable RuntimeException failure;

  /** What is waited for, as shown to people. Written by the store before anybody waits. */
  private volatile Object blocker = this;

  /** For the use of the store, which guards it. */
  public @Nullable LeaseRequest next;

  /** For the use of the store, which guards it. */
  public @Nullable LeaseRequest previous;

  /** For the use of the store, which guards it: whether it stands in a line. */
  public boolean queued;

  /** For the use of the store: whether it was told that this was given up. */
  public volatile boolean withdrawn;

  /** A request for {@code lease}. */
  public LeaseRequest(HeldLease lease, boolean mayWait) {
    super(lease.host(), lease.task());
    this.lease = lease;
    this.mayWait = mayWait;
  }

  /** What is asked for. */
  public final HeldLease lease() {
    return lease;
  }

  /** Whether it may wait for others; if not, it is refused at once. */
  public final boolean mayWait() {
    return mayWait;
  }

  /** Decides the race for this request. False: it has been claimed before. */
  public final boolean claim() {
    return CLAIMED.compareAndSet(this, false, true);
  }

  /** Whether somebody has claimed it. */
  public final boolean isClaimed() {
    return (boolean) CLAIMED.getVolatile(this);
  }

  /** Decides that it has failed. Called by whoever claimed it. */
  public final void fail(RuntimeException why) {
    failure = why;
    decide(CLOSED);
  }

  /** Why it failed. */
  public final @Nullable RuntimeException failure() {
    return failure;
  }

  /** What is waited for, as shown to people. */
  public final Object blocker() {
    return blocker;
  }

  /** Those who wait are shown to wait for {@code shown}. */
  public final void waitsFor(Object shown) {
    blocker = shown;
  }

  /** Whether being woken runs code of the user's. */
  public boolean runsCallbacks() {
    return false;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Waiter;

/** One of the requests of a {@link Selection}. */
public class SelectRequest extends Request {
  private final Selection selection;
  private final int index;

  /** The request number {@code index} of {@code selection}, for {@code need} permits. */
  public SelectRequest(Selection selection, int index, long need) {
    super(need, selection.host(), selection.task());
    this.selection = selection;
    this.index = index;
  }

  /** Its number among the requests of its selection. */
  public final int index() {
    return index;
  }

  /** How many permits it asks for. */
  public final long permits() {
    return need;
  }

  /** What it is one of. */
  public final Selection selection() {
    return selection;
  }

  @Override
  protected final boolean claim() {
    return selection.claim();
  }

  /** The selection is what waits. */
  @Override
  public final void markFirst() {
    selection.markFirst();
  }

  /** The selection is what sleeps, and to be next in one of its lines is no reason to look: it would go back to sleep. */
  @Override
  public final void wakeEarly() {}

  @Override
  public final void wake() {
    if (outcome() == Waiter.CLOSED && !isClaimedByClosing()) {
      selection.ended();
    } else {
      selection.served(this);
    }
  }

  /** Whether whoever closed the primitive has claimed the selection with that, rather than let this request drop out. */
  protected boolean isClaimedByClosing() {
    return true;
  }
}

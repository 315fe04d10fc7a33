// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request for permits: a node of the queue. Used once, never recycled. */
public class Request extends Waiter {
  /** How many permits are asked for. */
  final long need;

  /** When it was made, by the clock of its host; not read, and 0, for those who wait for no permits: no snapshot shows them. */
  final long since;

  // Guarded by whatever guards the list it stands in.
  @Nullable Request previous;
  @Nullable Request next;

  /** What it sends, or has received; of one that waits for permits and looks for its turn, who stands behind it. */
  private @Nullable Object item;

  /** Whether it has been put in the queue of permits and, while undecided, stands there; guarded by the queue's lock. */
  boolean queued;

  /** A request of the calling task. */
  public Request(long need) {
    this(need, Hosts.current());
  }

  /** A request of the calling task, which is one of {@code host}. */
  Request(long need, Host host) {
    this(need, host, host.currentTask());
  }

  /** A request of {@code task}, or of a callback if that is null. */
  protected Request(long need, Host host, @Nullable Object task) {
    super(host, task);
    this.need = need;
    this.since = need == 0 ? 0 : host.roughNanoTime();
  }

  /** How many permits are asked for. */
  public final long need() {
    return need;
  }

  /** What it sends; or what it has received, once granted. */
  public final Object item() {
    return Objects.requireNonNull(item);
  }

  /** What it is about to send; or gives it what it receives: then under the lock, before it is granted. */
  public final void item(Object handedOver) {
    item = handedOver;
  }

  /** It was sent: whoever keeps this must not keep that. */
  protected final void forgetItem() {
    item = null;
  }

  /** Who stands {@link AheadQueue#REACH} places behind, while it looks for its turn; it may have left meanwhile. */
  final @Nullable Request foreseen() {
    return item instanceof Request behind ? behind : null;
  }

  /**
   * Looks who could look for its turn after this one: whoever serves this one would have to fetch all in between. Nothing is locked, so what it finds is
   * a hint.
   */
  @Override
  protected boolean spins() {
    boolean foresees = looksLonger();
    if (foresees) {
      Request behind = this;
      for (int i = 0; i < AheadQueue.REACH && behind != null; i++) {
        behind = behind.next;
      }
      item = behind;
    }
    boolean decided = spin();
    if (foresees) {
      // Whoever keeps this one must not keep all who came after it. Whoever has served it has looked by now, or walks.
      item = null;
    }
    return decided;
  }

  /**
   * Decides the race between several primitives for one waiter. False: the waiter has been served elsewhere and takes
   * nothing from here. Called under the lock: one compare-and-set at most.
   */
  protected boolean claim() {
    return true;
  }

  /** Whether it asks for one permit and is known, by its class, to be claimed by nobody but the queue, which need not ask. */
  final boolean isPlain() {
    return need == 1 && getClass() == Request.class;
  }

  /** Whether what it was granted, if it was, goes back now that whoever waited does not take it. Called without the lock. */
  protected boolean goesBack() {
    return true;
  }
}

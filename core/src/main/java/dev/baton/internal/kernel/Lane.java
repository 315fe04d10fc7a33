// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Hosts;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.threads.Backoff;
import dev.baton.internal.threads.Spinning;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One end of a {@link Ring}: its lock, and how far it has come. Between two paddings: whoever works at one end must not fetch the
 * cache line that whoever works at the other has just written.
 */
@SuppressWarnings("unused") // the padding
final class Lane extends LaneState {
  private long after0;
  private long after1;
  private long after2;
  private long after3;
  private long after4;
  private long after5;
  private long after6;

  Lane(@Nullable Object[] slots, int room) {
    super(slots, room);
  }
}

/** What comes before. */
@SuppressWarnings("unused")
abstract class LanePadding {
  private long before0;
  private long before1;
  private long before2;
  private long before3;
  private long before4;
  private long before5;
  private long before6;
}

/** What is between the paddings. */
abstract class LaneState extends LanePadding {
  private static final VarHandle LOCKED = Fields.find(MethodHandles.lookup(), "locked", boolean.class);
  private static final VarHandle POSITION = Fields.find(MethodHandles.lookup(), "position", int.class);

  /** For about as long as the other end needs its lock. */
  private static final int LOOKS = 64;

  private volatile boolean locked;

  /** How many items have passed this end. Written under the lock. */
  private int position;

  /** How many had passed the other end when last looked: there are at least so many by now. Guarded by the lock. */
  int seen;

  /** Whether this lock is enough to put or take an item. Written under both locks; so are the two below. */
  boolean open = true;

  /** A power of two of them, the same at both ends. Kept here, where whoever has the lock has the cache line too. */
  @Nullable Object[] slots;

  /** How many items may be in the slots there are. */
  int room;

  /** Whether somebody looks for what comes from the other end. A hint: two at once do no harm. */
  private volatile boolean looking;

  LaneState(@Nullable Object[] slots, int room) {
    this.slots = slots;
    this.room = room;
  }

  final void lock() {
    if (!LOCKED.compareAndSet(this, false, true)) {
      lockContended();
    }
  }

  private void lockContended() {
    int attempt = 0;
    do {
      Backoff.pause(attempt++);
    } while (locked || !LOCKED.compareAndSet(this, false, true));
  }

  /** Takes the lock if it is free, or soon is. Never gives up the core. */
  final boolean tryLockBriefly() {
    for (int i = 0; i < LOOKS; i++) {
      if (!locked && LOCKED.compareAndSet(this, false, true)) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  final void unlock() {
    LOCKED.setRelease(this, false);
  }

  /** The position, for whoever has the lock. */
  final int position() {
    return position;
  }

  /** The position, for whoever has not: what this end has done to the items up to there is seen, too. */
  final int look() {
    return (int) POSITION.getAcquire(this);
  }

  /** Moves on by one, under the lock, after the item was dealt with. */
  final void advance() {
    POSITION.setRelease(this, position + 1);
  }

  /** Whether the caller may keep a core busy for what comes from the other end: one at each end may. */
  final boolean beginLooking() {
    if (looking || !Hosts.current().maySpin() || !Spinning.pays()) {
      return false;
    }
    looking = true;
    return true;
  }

  /** Nobody looks any more. Returns {@code successful}. */
  final boolean endLooking(boolean successful) {
    looking = false;
    Spinning.tried(successful);
    return successful;
  }
}

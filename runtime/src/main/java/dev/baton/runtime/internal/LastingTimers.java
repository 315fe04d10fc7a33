// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The timers of what may outlive the run. Those that have not rung when it is over go on on ordinary threads, with the time that they had
 * left. In a closed world they do not: nobody outside looks at it, and the next one must not be disturbed.
 */
final class LastingTimers {
  private final boolean closed;
  private final Turn turn;
  private final RunClock clock;
  private final Inbox inbox;
  private final Course course;

  /** What threads that do not have the turn want to change, in order. */
  private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

  // Owned by whoever has the turn; once the run is over, guarded by this.
  private final Set<Lasting> pending = new LinkedHashSet<>();
  private boolean handedOn;

  LastingTimers(boolean closed, Turn turn, RunClock clock, Inbox inbox, Course course) {
    this.closed = closed;
    this.turn = turn;
    this.clock = clock;
    this.inbox = inbox;
    this.course = course;
  }

  /** Has {@code action} run when the clock has reached {@code deadline}. Called by any thread, also when the run is over. */
  Host.Timer add(long deadline, Runnable action) {
    Lasting timer = new Lasting(deadline, action);
    change(timer::set);
    return timer;
  }

  private void change(Runnable change) {
    if (!course.isOver() && turn.isCallers()) {
      change.run();
      return;
    }
    changes.add(change);
    if (!course.isOver()) {
      inbox.put(this::hear);
    }
    if (course.isOver()) {
      // Perhaps just now, and nobody looks into the inbox any more.
      handOn();
    }
  }

  private void hear() {
    for (Runnable change = changes.poll(); change != null; change = changes.poll()) {
      change.run();
    }
  }

  /** The run is over: the clock goes on by itself, and so do those who have not rung. */
  synchronized void handOn() {
    if (!handedOn && !closed) {
      clock.goOn();
      pending.forEach(Lasting::goOn);
    }
    handedOn = true;
    pending.clear();
    hear();
  }

  /** One of them. */
  private final class Lasting implements Host.Timer, Runnable {
    private final TimerHeap.Entry entry;
    private final Runnable action;

    // Owned and guarded like those above.
    private Host.@Nullable Timer later;
    private boolean withdrawn;

    Lasting(long deadline, Runnable action) {
      this.entry = new TimerHeap.Entry(deadline, this);
      this.action = action;
    }

    private void set() {
      if (withdrawn) {
        return;
      }
      if (handedOn) {
        goOn();
      } else {
        pending.add(this);
        clock.add(entry);
      }
    }

    private void goOn() {
      if (!closed) {
        Host threads = Hosts.threads();
        later = threads.schedule(threads.nanoTime() + (entry.deadline - clock.nanoTime()), action);
      }
    }

    @Override
    public void cancel() {
      change(this::withdraw);
    }

    private void withdraw() {
      withdrawn = true;
      if (pending.remove(this)) {
        clock.remove(entry);
      }
      if (later != null) {
        later.cancel();
      }
    }

    /** The time has come while the run is on. */
    @Override
    public void run() {
      pending.remove(this);
      action.run();
    }
  }
}

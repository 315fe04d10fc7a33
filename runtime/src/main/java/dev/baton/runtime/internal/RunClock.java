// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Clock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What time it is in a run, and what waits for its time to come. Virtual time stands still until it is moved; when the run is over it goes on
 * as real time does, for what outlives the run.
 */
final class RunClock {
  private static final VarHandle LOOKED;

  static {
    try {
      LOOKED = MethodHandles.lookup().findVarHandle(RunClock.class, "looked", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final TimerHeap timers = new TimerHeap();
  private final boolean virtual;

  // Virtual time: a count of nanoseconds, which may wrap around, and the instant that it stands for.
  private long nanos;
  private Instant instant;

  /** When the run was over, in real time. Written before {@link #goesOn}. */
  private long wentOnAt;

  private volatile boolean goesOn;

  /** Real time, not long ago: to ask for it at each wait costs a tenth of the switch. */
  @SuppressWarnings("unused") // by LOOKED
  private long looked = System.nanoTime();

  RunClock(Clock clock) {
    virtual = clock instanceof Clock.Virtual;
    instant = clock instanceof Clock.Virtual(Instant start) ? start : Instant.EPOCH;
  }

  long nanoTime() {
    return virtual ? nanos + passedSinceTheEnd() : System.nanoTime();
  }

  private long passedSinceTheEnd() {
    return goesOn ? System.nanoTime() - wentOnAt : 0;
  }

  /** The run is over: time is not moved any more, and goes on by itself. */
  void goOn() {
    wentOnAt = System.nanoTime();
    goesOn = true;
  }

  /** The time when somebody last {@linkplain #look looked} at the clock, if that is real. */
  long roughNanoTime() {
    return virtual ? nanoTime() : (long) LOOKED.getOpaque(this);
  }

  /** Notes what time it is. Called by any thread, several times a second. */
  void look() {
    LOOKED.setOpaque(this, System.nanoTime());
  }

  Instant now() {
    return virtual ? later(instant, passedSinceTheEnd()) : Instant.now();
  }

  void add(TimerHeap.Entry timer) {
    timers.add(timer);
  }

  /** Withdraws a timer; does nothing if it is not there. */
  void remove(TimerHeap.Entry timer) {
    timers.remove(timer);
  }

  boolean hasTimers() {
    return !timers.isEmpty();
  }

  /** Takes out the first timer whose time has come at {@code now}, or returns null. */
  TimerHeap.@Nullable Entry pollDue(long now) {
    return timers.pollDue(now);
  }

  /** Whether time passes by itself and will reach a timer. */
  boolean awaitsRealTime() {
    return !virtual && !timers.isEmpty();
  }

  /** How long until the time of the next timer; there must be one. */
  long nanosToNextTimer() {
    return timers.nextDeadline() - nanoTime();
  }

  /** Whether time can be moved, and there is a timer to move it to. */
  boolean canJump() {
    return virtual && !timers.isEmpty();
  }

  /** Moves time to that of the next timer. */
  void jump() {
    long next = timers.nextDeadline();
    instant = later(instant, next - nanos);
    nanos = next;
  }

  private static Instant later(Instant time, long nanos) {
    // Time ends in a billion years.
    return Duration.between(time, Instant.MAX).compareTo(Duration.ofNanos(nanos)) < 0 ? Instant.MAX : time.plusNanos(nanos);
  }
}

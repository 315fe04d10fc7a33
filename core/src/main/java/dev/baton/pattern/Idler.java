// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.outcome.Outcome;
import dev.baton.sync.Waitable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Something that is busy or idle, and a way to wait until it is idle.
 *
 * {@snippet :
 * Idler printer = new Idler();
 * printer.setBusy(true);
 * Thread.startVirtualThread(() -> printer.setBusy(false));
 * printer.awaitIdle();
 * }
 *
 * <p><b>What it avoids.</b> Whoever waits for a flag to be down by looking at it when woken misses an idle moment that was over
 * before it ran. Here each busy period has a completion of its own, and its end completes that: busy, idle and busy again before
 * the waiter runs still lets it go on. Nobody is woken who does not go on, and no signal can be forgotten.
 *
 * <p><b>Order.</b> Those who wait are woken in the order in which they came.
 *
 * <p><b>Cancellation.</b> A wait that ends by interrupt, time-out or cancel concerns nobody else.
 *
 * <p><b>Memory effects.</b> What was done before {@code setBusy(false)} is seen by whoever waited for it.
 *
 * <p><b>Cost.</b> Waiting while idle is one read; a busy period is one object.
 */
public final class Idler {
  private static final VarHandle PERIOD = Fields.find(MethodHandles.lookup(), "period", Outcome.class);

  /** What to show those who ask while it is idle. */
  private final Outcome<@Nullable Void> idle = new Outcome<>();

  /** Ends when the present busy period does; null while idle. */
  private volatile @Nullable Outcome<@Nullable Void> period;

  /** Idle. */
  public Idler() {
    Ledger.made(this);
    Ledger.made(idle);
    idle.settleWith(null);
  }

  /**
   * Says whether it is busy from now on. The end of a busy period wakes all who wait for it. Saying what is so already changes
   * nothing.
   *
   * @param busy true when a busy period begins, false when it ends
   * @return whether that was a change
   */
  public boolean setBusy(boolean busy) {
    SwitchPoints.reach(this);
    if (busy) {
      return period == null && begin();
    }
    // Taken out and then completed: whoever comes later waits for the next period, and each is completed once.
    @SuppressWarnings("unchecked") // nothing else is put in
    Outcome<@Nullable Void> ended = (Outcome<@Nullable Void>) PERIOD.getAndSet(this, null);
    return ended != null && ended.settleWith(null);
  }

  private boolean begin() {
    Outcome<@Nullable Void> next = new Outcome<>();
    Ledger.made(next);
    // Compare-and-set: of two who begin at once, one begins the period that both are in.
    return PERIOD.compareAndSet(this, null, next);
  }

  /** {@return whether it is busy} */
  public boolean isBusy() {
    SwitchPoints.reach(this);
    return period != null;
  }

  /**
   * Waits until the present busy period has ended; returns at once if it is idle. On return it was idle at some time after the call;
   * it may be busy again.
   *
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing has changed
   */
  public void awaitIdle() throws InterruptedException {
    await(FOREVER);
  }

  /**
   * Waits until the present busy period has ended, at most {@code timeout}: zero or less looks once; more than 292 years waits
   * without a deadline.
   *
   * @param timeout how long to wait at most; zero or less tries once
   * @return true if it was idle at some time after the call; false if the time passed first
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing has changed
   */
  public boolean awaitIdle(Duration timeout) throws InterruptedException {
    return await(Nanos.of(timeout));
  }

  /** Waits until the present busy period has ended, ignoring interrupts; one that came is pending again on return. */
  public void awaitIdleUninterruptibly() {
    SwitchPoints.reach(this);
    present().await(this, false, FOREVER);
  }

  private boolean await(long nanos) throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = present().await(this, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome == GRANTED;
  }

  /**
   * {@return the present busy period: it ends, with null, when the period does, and has ended if it is idle} For waiting
   * as a future, or beside other things:
   *
   * {@snippet :
   * Idler printer = new Idler();
   * Channel<String> orders = Channel.buffered(1);
   * String next =
   *     Select.of(
   *             Select.receive(orders, order -> "order " + order),
   *             Select.done(printer.idle(), end -> "idle"))
   *         .run();
   * }
   */
  public Waitable<@Nullable Void> idle() {
    SwitchPoints.reach(this);
    return present();
  }

  private Outcome<@Nullable Void> present() {
    Outcome<@Nullable Void> now = period;
    return now == null ? idle : now;
  }

  @Override
  public String toString() {
    Outcome<@Nullable Void> now = period;
    String state = now == null ? "idle" : "busy, " + now.waiting() + " waiting";
    return "Idler@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }
}

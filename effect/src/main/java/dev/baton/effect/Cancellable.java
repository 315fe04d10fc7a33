// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;

import dev.baton.internal.kernel.Failures;
import dev.baton.internal.outcome.Outcome;
import dev.baton.runtime.internal.Resident;
import dev.baton.sync.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * How a task is told to end: by an interrupt of the thread it runs on. What waits is woken by that, and what does not wait sees it at
 * the next effect. Either way it is then delivered, as an exception, and never again.
 *
 * <p>A scope that the task is in interrupts it too, to get it out of what it waits for there. That is no cancellation: only waits are cut
 * short by it, as those of Baton's plain operations are, and by the same exception.
 */
abstract class Cancellable<T extends @Nullable Object> extends Ending<T> implements Resident {
  /** Whether it is to end. */
  private boolean cancelled;

  /** Whether that has still to be delivered. */
  private boolean cancelPending;

  /** Whether an interrupt may be pending that is to get it out of a block, a scope's for one, and not to end it. */
  private boolean blockInterrupted;

  /** How the cancellation was delivered. */
  private @Nullable TaskCancelledException delivered;

  /** How many things are going on in whose midst a cancellation must not be thrown: a permit would be lost. */
  private int holdingBack;

  /** The handlers of acquire at work, the innermost first; mostly there are none. */
  private @Nullable Acquiring acquiring;

  /** Whether a cancellation has come meanwhile. */
  private boolean kept;

  /** Whether one was pending before, and its interrupt was put aside. */
  private boolean putAside;

  /** Who lives in the same task of the host, and runs this one: a cancellation is meant for both. */
  @Nullable Resident outer;

  Cancellable(EffectRun run) {
    super(run);
  }

  /** What the task is called. */
  abstract String name();

  final boolean isCancelled() {
    return cancelled || kept;
  }

  // ---- holding back ----

  /** From now on no cancellation is delivered. {@link #letGo} has to follow, on the same thread. */
  final void holdBack() {
    if (holdingBack++ == 0 && cancelPending) {
      // Nor by a plain operation of Baton's.
      putAside = Thread.interrupted();
    }
  }

  /** A cancellation that was held back can be delivered again: at the next effect, or by {@link #deliverPending}. */
  final void letGo() {
    if (--holdingBack > 0) {
      return;
    }
    if (putAside) {
      putAside = false;
      Thread.currentThread().interrupt();
    }
    if (kept) {
      kept = false;
      run.host().interrupt(active());
    }
  }

  /** A permit was acquired: if for a handler of acquire, it is still on its way to whoever has asked for it. */
  final void acquired(Semaphore semaphore) {
    for (Acquiring each = acquiring; each != null; each = each.outer) {
      if (each.semaphore == semaphore && !each.hasPermit) {
        each.hasPermit = true;
        holdBack();
      }
    }
  }

  /** A handler of acquire at work. */
  static final class Acquiring {
    private final Cancellable<?> task;
    private final Semaphore semaphore;
    private final @Nullable Acquiring outer;
    private boolean hasPermit;

    Acquiring(Cancellable<?> task, Semaphore semaphore) {
      this.task = task;
      this.semaphore = semaphore;
      this.outer = task.acquiring;
      task.acquiring = this;
    }

    /** Whether a permit was acquired since this began. */
    boolean hasPermit() {
      return hasPermit;
    }

    void end() {
      task.acquiring = outer;
      if (hasPermit) {
        task.letGo();
      }
    }
  }

  @Override
  public final boolean keepsForLater() {
    kept |= holdingBack > 0 && !cancelled;
    return holdingBack > 0;
  }

  // ---- being interrupted ----

  @Override
  public final void interrupted() {
    if (!cancelled) {
      cancelled = true;
      cancelPending = true;
    }
  }

  @Override
  public final void blockInterrupted() {
    blockInterrupted = true;
  }

  @Override
  public final boolean isEnding() {
    return cancelPending;
  }

  @Override
  public final @Nullable Resident outer() {
    return outer;
  }

  // ---- delivering ----

  /** Throws a cancellation that has not been delivered. */
  final void deliverPending() {
    if (cancelPending) {
      deliver();
    }
  }

  /** It has ended, and is told nothing any more. */
  final void deliverNoMore() {
    cancelPending = false;
  }

  /** What those are told who wait for it. */
  final TaskCancelledException cancellation() {
    return delivered != null ? delivered : new TaskCancelledException(name() + " was cancelled.");
  }

  // ---- waiting ----

  /** Waits for {@code outcome}, and returns its value or throws its error. */
  final @Nullable Object join(Outcome<?> outcome) {
    while (outcome.resultOrNull() == null) {
      prepareToWait();
      int how =
          outcome instanceof Ending<?> ending
              ? ending.awaitInTurn(run.residence().here())
              : outcome.await(outcome, true, FOREVER);
      if (how != GRANTED) {
        wasInterrupted();
      }
    }
    return valueOf(EffectTask.resultOf(outcome));
  }

  /** Before a wait that an interrupt ends: one that nobody of ours has caused means nothing here. */
  final void prepareToWait() {
    if (!cancelPending && (!blockInterrupted || !isBlockStillInterrupted())) {
      Thread.interrupted();
    }
  }

  /** If the interrupt is gone, the block was left, or a plain operation of Baton's that waited has thrown it. */
  private boolean isBlockStillInterrupted() {
    blockInterrupted = Thread.currentThread().isInterrupted();
    return blockInterrupted;
  }

  /** A wait was ended by an interrupt. Returns if that means nothing. */
  final void wasInterrupted() {
    if (cancelPending && holdingBack == 0) {
      Thread.currentThread().interrupt();
      deliver();
    } else if (blockInterrupted) {
      blockInterrupted = false;
      // Whoever has sent it knows why, and says so where the block is left.
      throw Failures.<RuntimeException>rethrow(new InterruptedException("The wait was interrupted: the block around it is to be left."));
    } else if (!cancelled && holdingBack == 0) {
      // Somebody has interrupted the thread itself.
      cancelled = true;
      throw delivered();
    }
  }

  private void deliver() {
    if (holdingBack > 0) {
      return;
    }
    cancelPending = false;
    // If it is gone, an operation of Baton's that waited has thrown it before.
    if (Thread.interrupted()) {
      throw delivered();
    }
  }

  private TaskCancelledException delivered() {
    TaskCancelledException thrown = new TaskCancelledException(name() + " was cancelled.");
    delivered = thrown;
    return thrown;
  }

  /** Whether {@code failure} is this task's own cancellation, and not that of another one it has waited for. */
  final boolean isOwnCancellation(Throwable failure) {
    // It is delivered once: after that, an interrupt is that of a task it waits for, or of a block.
    return cancelled && (failure == delivered || (delivered == null && failure instanceof InterruptedException));
  }
}

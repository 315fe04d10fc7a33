// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * A meeting point: nobody goes on before all have arrived, round after round.
 *
 * {@snippet :
 * Barrier step = Barrier.of(3);
 * for (int i = 0; i < 3; i++) {
 *   Thread.startVirtualThread(() -> {
 *     try {
 *       if (step.await()) {
 *         System.out.println("all are here; said once a round");
 *       }
 *     } catch (InterruptedException e) {
 *       // withdrawn: the others wait for somebody else instead
 *     }
 *   });
 * }
 * }
 *
 * <p><b>Rounds.</b> The last to arrive is the leader: it does not wait, and its arrival lets everyone of this round go. Whoever
 * arrives later belongs to the next round, even before those of this one have woken up.
 *
 * <p><b>Cancellation.</b> An arrival that ends by interrupt, time-out or cancel before the round is complete is withdrawn, as if
 * it had never come, and breaks nobody: the round waits for another one. After that the wait has ended well, whatever came too
 * late: {@link InterruptedException} and {@link TimeoutException} always mean withdrawn, and an interrupt that came too late
 * stays pending.
 *
 * <p><b>Order.</b> Those who wait are woken in the order in which they came.
 *
 * <p><b>Memory effects.</b> What any of a round did before arriving is seen by all of that round afterwards.
 *
 * <p><b>Cost.</b> Two short critical sections and one allocation per wait, none for the leader.
 */
public final class Barrier {
  /** Beside the outcomes of a wait: there was none. */
  private static final int LEADER = -3;

  private final BarrierQueue queue;

  private Barrier(int parties) {
    queue = new BarrierQueue(parties);
    Ledger.made(this);
  }

  /**
   * {@return a meeting point of {@code parties}}
   *
   * @param parties how many must arrive; at least 1
   * @throws IllegalArgumentException if that is less than one
   */
  public static Barrier of(int parties) {
    if (parties < 1) {
      throw new IllegalArgumentException("A barrier is for at least 1, not " + parties + ".");
    }
    return new Barrier(parties);
  }

  /**
   * Arrives and waits until all have. They have, on return.
   *
   * @return true for one of the round, the last to arrive
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; its arrival is withdrawn
   */
  public boolean await() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    return isLeader(arrive(true, FOREVER));
  }

  /**
   * Arrives and waits at most {@code timeout} until all have: to the nanosecond; zero or less arrives only as the last one;
   * more than 292 years waits without a deadline. All have arrived, on return.
   *
   * @param timeout how long to wait for the others at most; zero or less arrives only as the last one
   * @return true for one of the round, the last to arrive
   * @throws TimeoutException if the time passed first; the caller's arrival is withdrawn
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; its arrival is withdrawn
   */
  public boolean await(Duration timeout) throws InterruptedException, TimeoutException {
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    Interrupts.check();
    int outcome = arrive(true, nanos);
    if (outcome == TIMED_OUT) {
      throw new TimeoutException("Waited " + timeout + " for the others at " + this + "; the arrival is withdrawn.");
    }
    return isLeader(outcome);
  }

  /**
   * Arrives and waits until all have, ignoring interrupts; one that came is pending again on return.
   *
   * @return true for one of the round, the last to arrive
   */
  public boolean awaitUninterruptibly() {
    SwitchPoints.reach(this);
    return arrive(false, FOREVER) == LEADER;
  }

  /**
   * Arrives and waits as a future, which withdraws when it is cancelled; see {@link #awaitAsync(Duration)}.
   *
   * @return a future that ends with true for the last to arrive, with false for the others
   */
  public CompletableFuture<Boolean> awaitAsync() {
    return request(FOREVER);
  }

  /**
   * Arrives, waits at most {@code timeout} until all have, and never blocks. Zero or less arrives only as the last one.
   *
   * <p>The future ends with true for the last to arrive, with false for the others, or with {@link TimeoutException}. If it
   * times out or is cancelled, or completed by anybody else, before all have arrived, the arrival is withdrawn; after that
   * only the future itself is concerned. Callbacks run on the thread that arrives last.
   *
   * @param timeout how long to wait for the others at most; zero or less arrives only as the last one
   * @return a future that ends with true for the last to arrive, with false for the others, or in time with {@link
   *     TimeoutException}
   */
  public CompletableFuture<Boolean> awaitAsync(Duration timeout) {
    return request(Nanos.of(timeout));
  }

  /** {@return how many must arrive} */
  public int parties() {
    SwitchPoints.reach(this);
    return queue.parties();
  }

  /** {@return how many have arrived and wait for the others} */
  public int waiting() {
    SwitchPoints.reach(this);
    return queue.waiting();
  }

  /** {@return how many rounds have been completed} */
  public long generation() {
    SwitchPoints.reach(this);
    return queue.generation();
  }

  @Override
  public String toString() {
    String state = queue.waiting() + " of " + queue.parties() + " waiting, " + queue.generation() + " rounds completed";
    return "Barrier@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  private int arrive(boolean interruptible, long nanos) {
    // The leader makes no request, and whoever comes before it takes the lock once.
    if ((nanos == 0 || queue.isNextLast()) && queue.arriveLast()) {
      return LEADER;
    }
    if (nanos == 0) {
      return TIMED_OUT;
    }
    Request request = new Request(0);
    if (queue.arrive(request) == GRANTED) {
      return LEADER;
    }
    // The round is over for all of it or for none: an arrival cannot be taken back any more.
    return queue.awaitDelivery(request, this, interruptible, nanos);
  }

  private static boolean isLeader(int outcome) throws InterruptedException {
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome == LEADER;
  }

  private CompletableFuture<Boolean> request(long nanos) {
    SwitchPoints.reach(this);
    Arrival arrival = new Arrival();
    if (nanos == 0 ? queue.arriveLast() : queue.arrive(arrival) == GRANTED) {
      return arrival.lead();
    }
    return nanos == 0 ? arrival.expireNow() : arrival.submitted(nanos);
  }

  private final class Arrival extends AsyncRequest<Boolean> {
    private boolean leader;

    Arrival() {
      super(queue, 0);
    }

    @Override
    protected Object primitive() {
      return Barrier.this;
    }

    CompletableFuture<Boolean> lead() {
      leader = true;
      return grantNow();
    }

    CompletableFuture<Boolean> submitted(long nanos) {
      return submitted(WAITING, nanos);
    }

    @Override
    protected Boolean value() {
      return leader;
    }

    @Override
    protected void giveBack() {
      // The others have gone on already.
    }

    @Override
    protected Exception failure(int outcome) {
      return new IllegalStateException("A barrier is never closed, yet an arrival ended with outcome " + outcome + ".");
    }

    @Override
    protected TimeoutException timeout() {
      return new TimeoutException("The others did not arrive in time; the arrival is withdrawn.");
    }
  }
}

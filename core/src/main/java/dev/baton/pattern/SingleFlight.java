// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers that ask for the same thing at the same time share one run of the work.
 *
 * {@snippet :
 * SingleFlight<String, Integer> loads = new SingleFlight<>();
 * SingleFlight.Shared<Integer> answer = loads.call("question", () -> 42);
 * int value = answer.value();
 * boolean byOthers = answer.shared();
 * }
 *
 * <p><b>What it avoids.</b> A crowd that asks the same slow question at once and has it answered as often. A first caller that takes all
 * others down when it is cancelled: the work runs on a virtual thread of its own, with the {@link dev.baton.scope.ContextCarrier contexts}
 * of the one who started it, and belongs to all who wait for it. Work that goes on though nobody wants it any more: the last to leave
 * cancels it.
 *
 * <p><b>Sharing.</b> Nothing is kept: whoever comes after the run has ended starts another.
 *
 * <p><b>Cancellation.</b> A caller that is interrupted, times out or cancels its future leaves alone; the others get the result. When the
 * last one leaves, the work is interrupted, and that caller waits, ignoring interrupts, until it has ended: nothing runs for a call that
 * has returned. Only a future does not wait. Whoever comes then does not get the result of cancelled work, but starts anew. Callbacks of
 * futures run on the thread that did the work; no caller waits for those.
 *
 * <p><b>Errors</b> reach all callers, each as a {@link FlightFailedException} of its own with the error as its cause: one error thrown by
 * several threads would show the stack of none of them, and what one suppresses in it would appear to the others.
 *
 * <p><b>Deadlines</b> of scopes concern the callers inside them, not the work, which others may wait for.
 *
 * <p><b>Waiting for itself.</b> Work that calls for its own key, directly or through other flights, is refused with {@link
 * IllegalStateException}; so far as it does so on its own thread.
 *
 * <p><b>Memory effects.</b> What was done before the call that started the work is seen by the work, and what that did is seen by all who got
 * its result.
 *
 * @param <K> the type of the keys, as of a hash map; null is not one
 * @param <V> what the work returns; null is not a value
 */
public final class SingleFlight<K, V> {
  /** Flights that callers may still join. */
  private final ConcurrentMap<K, Flight<V>> flights = new ConcurrentHashMap<>();

  /** Nobody asks for anything yet. */
  public SingleFlight() {
    Ledger.made(this);
  }

  /**
   * What a call brought.
   *
   * @param <V> the type of the value
   * @param value what the work returned
   * @param shared whether the work was another caller's
   */
  public record Shared<V>(V value, boolean shared) {}

  /**
   * Returns what the work for {@code key} returns: that which runs already, or else {@code work}.
   *
   * @param key what the work is for; callers with equal keys share a run
   * @param work what brings the value, on a thread of its own, if nobody does so already
   * @return the value, and whether it was another caller's work
   * @throws FlightFailedException if the work failed, or returned null
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; it has left
   * @throws IllegalStateException if the work that is waited for waits for the caller
   */
  public Shared<V> call(K key, Callable<? extends V> work) throws InterruptedException {
    try {
      return call(key, work, FOREVER);
    } catch (TimeoutException impossible) {
      throw new IllegalStateException("A wait without a deadline has timed out.", impossible);
    }
  }

  /**
   * Like {@link #call(Object, Callable)}, but waits at most {@code timeout}; zero or less is too short for any work that has not ended.
   * The last to leave interrupts the work and waits until it has ended: that takes longer than {@code timeout} if the work is deaf to
   * interrupts.
   *
   * @param key what the work is for; callers with equal keys share a run
   * @param timeout how long to wait at most; what runs goes on for others
   * @param work what brings the value, on a thread of its own, if nobody does so already
   * @return the value, and whether it was another caller's work
   * @throws TimeoutException if the time passed first; the caller has left
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; it has left
   */
  public Shared<V> call(K key, Duration timeout, Callable<? extends V> work) throws InterruptedException, TimeoutException {
    return call(key, work, Nanos.of(timeout));
  }

  /**
   * Like {@link #call(Object, Callable)}, but never blocks. Cancelling or completing the future leaves the flight.
   *
   * @param key what the work is for; callers with equal keys share a run
   * @param work what brings the value, if nobody does so already
   * @return a future that ends with the value, or with {@link FlightFailedException}
   */
  public CompletableFuture<Shared<V>> callAsync(K key, Callable<? extends V> work) {
    return callAsync(key, work, FOREVER);
  }

  /**
   * Like {@link #callAsync(Object, Callable)}, also when it is cancelled; ends with {@link TimeoutException} if the work takes longer than
   * {@code timeout}.
   *
   * @param key what the work is for; callers with equal keys share a run
   * @param timeout how long to wait at most; what runs goes on for others
   * @param work what brings the value, if nobody does so already
   * @return a future that ends as that of {@link #callAsync(Object, Callable)}, or with {@link TimeoutException}
   */
  public CompletableFuture<Shared<V>> callAsync(K key, Duration timeout, Callable<? extends V> work) {
    return callAsync(key, work, Nanos.of(timeout));
  }

  /**
   * Lets the next caller for {@code key} start anew. What runs goes on for those who wait for it.
   *
   * @param key what the work is for; callers with equal keys share a run
   * @return whether something ran
   */
  public boolean forget(K key) {
    Objects.requireNonNull(key, "key");
    SwitchPoints.reach(this);
    return flights.remove(key) != null;
  }

  /**
   * {@return whether a caller for {@code key} would share a run}
   *
   * @param key what the work is for; callers with equal keys share a run
   */
  public boolean isInFlight(K key) {
    Objects.requireNonNull(key, "key");
    SwitchPoints.reach(this);
    return flights.containsKey(key);
  }

  /** {@return how many runs can be shared at present} */
  public int inFlight() {
    SwitchPoints.reach(this);
    return flights.size();
  }

  @Override
  public String toString() {
    return "SingleFlight@" + Integer.toHexString(System.identityHashCode(this)) + "[" + flights.size() + " in flight]";
  }

  private Shared<V> call(K key, Callable<? extends V> work, long nanos) throws InterruptedException, TimeoutException {
    require(key, work);
    SwitchPoints.reach(this);
    Interrupts.check();
    Seat<V> seat = board(key, work);
    Flight<V> flight = seat.flight();
    boolean arrived = false;
    int outcome;
    Flight<?> waiting = Flight.enterWait(flight, key);
    try {
      outcome = flight.await(flight, true, nanos);
      arrived = outcome != INTERRUPTED && outcome != TIMED_OUT;
    } finally {
      Flight.exitWait(waiting);
      if (!arrived) {
        flight.leaveAndJoin();
      }
    }
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome == TIMED_OUT) {
      throw new TimeoutException("The work for " + key + " has not ended in time.");
    }
    if (seat.first()) {
      flight.awaitEndOfWork();
    }
    return new Shared<>(flight.value(), !seat.first());
  }

  private CompletableFuture<Shared<V>> callAsync(K key, Callable<? extends V> work, long nanos) {
    require(key, work);
    SwitchPoints.reach(this);
    Seat<V> seat = board(key, work);
    return seat.flight().request(!seat.first(), nanos);
  }

  private static void require(@Nullable Object key, @Nullable Object work) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(work, "work");
  }

  /** A place in a flight, and whether it is that of the one who started it. */
  private record Seat<V>(Flight<V> flight, boolean first) {}

  private Seat<V> board(K key, Callable<? extends V> work) {
    Flight<V> fresh = null;
    while (true) {
      Flight<V> present = flights.get(key);
      if (present != null) {
        Flight.requireOther(present, key);
        if (present.join()) {
          return new Seat<>(present, false);
        }
        // Everybody has left it, or it has ended: it is as good as gone.
        flights.remove(key, present);
        continue;
      }
      if (fresh == null) {
        fresh = new Flight<>(work, landed -> flights.remove(key, landed));
      }
      if (flights.putIfAbsent(key, fresh) == null) {
        fresh.start();
        return new Seat<>(fresh, true);
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import static dev.baton.host.Waiter.CLOSED;
import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.host.Hosts;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.fields.Fields;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Taker;
import dev.baton.internal.observe.Watch;
import dev.baton.internal.threads.Backoff;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed or set once, by the first who needs it, and then stays.
 *
 * {@snippet :
 * OnceCell<List<String>> names = new OnceCell<>();
 * List<String> all = names.getOrInit(() -> List.of("ann", "bob")); // runs once, whoever comes first
 * Optional<List<String>> now = names.get(); // never waits
 * }
 *
 * <p><b>Once.</b> One initializer runs at a time, and none after one has succeeded. All get the same value, complete as it was
 * made.
 *
 * <p><b>Failure.</b> An initializer that throws, is interrupted or returns null leaves the cell as it was; its caller gets the
 * error, and the one who has waited longest tries with its own initializer.
 *
 * <p><b>Recursion.</b> An initializer that asks for the value it is computing gets {@link IllegalStateException} instead of a
 * deadlock, and can still succeed. Two cells whose initializers wait for each other on two threads are not detected.
 *
 * <p><b>Cancellation.</b> A wait for another's initializer ends on interrupt or time-out, and changes nothing.
 *
 * <p><b>Memory effects.</b> What was done before the value was set is seen by whoever has seen the value.
 *
 * <p><b>Cost.</b> Once set, getting the value is one read.
 *
 * @param <T> the type of the value
 */
public final class OnceCell<T> {
  static {
    SyncInspector.install();
  }

  private static final long NOBODY = 0;
  private static final VarHandle VALUE = Fields.find(MethodHandles.lookup(), "value", Object.class);
  private static final VarHandle SETTER = Fields.find(MethodHandles.lookup(), "setter", Object.class);
  private static final VarHandle INITIALIZER = Fields.find(MethodHandles.lookup(), "initializer", long.class);

  // unset ──permit taken──▶ initializing ──value written, then closed──▶ set
  //   ▲                          │
  //   └──────permit given────────┘ failed

  /** One permit, for the one who initializes. Closed once the value is there, so all who wait for the permit find it. */
  private final PermitQueue turn = new PermitQueue(1, 1);

  /** Written once, by the holder of the permit. */
  @SuppressWarnings("UnusedVariable") // through its handle
  private @Nullable Object value;

  /** What somebody is about to set, or has set; null if nobody is. */
  @SuppressWarnings("UnusedVariable") // through its handle
  private @Nullable Object setter;

  /** The number of the task that runs its initializer. A task that reads its own number here really does. */
  @SuppressWarnings("UnusedVariable") // through its handle
  private long initializer = NOBODY;

  /** Who runs its initializer, if that is written down. */
  private @Nullable Object taker;

  /** Without a value. */
  public OnceCell() {
    Ledger.made(this);
  }

  /** {@return the value, or empty if it is not set yet} Never blocks. */
  public Optional<T> get() {
    SwitchPoints.reach(this);
    return Optional.ofNullable(valueOrNull());
  }

  /** {@return whether the value is set} */
  public boolean isSet() {
    SwitchPoints.reach(this);
    return valueOrNull() != null;
  }

  /**
   * {@return the value; if it is not set, {@code init} computes it, or another's initializer that is running already is
   * waited for} The value is set, on return. If it was set before, an interrupt of the caller stays pending.
   *
   * @param <X> what the initializer may throw; inferred, so checked exceptions pass through as they are
   * @param init computes the value, if nobody else does; must not return null
   * @throws X what {@code init} threw; the cell is not set, and the next one tries
   * @throws NullPointerException if {@code init} returned null; the cell is not set, and the next one tries
   * @throws InterruptedException if the caller is interrupted on entry or while waiting for another; {@code init} has not run
   * @throws IllegalStateException if the caller is computing this value
   */
  public <X extends Throwable> T getOrInit(Body<? extends T, X> init) throws X, InterruptedException {
    Objects.requireNonNull(init, "init");
    SwitchPoints.reach(this);
    T now = valueOrNull();
    if (now != null) {
      return now;
    }
    int outcome = enter(FOREVER);
    return outcome == GRANTED ? initialize(init) : settled();
  }

  /**
   * Like {@link #getOrInit(Body)}, but waits for another's initializer at most {@code timeout}: to the nanosecond; zero or less
   * does not wait; more than 292 years waits without a deadline. The caller's own initializer is not limited.
   *
   * @param <X> what the initializer may throw; inferred, so checked exceptions pass through as they are
   * @param timeout how long to wait for another's initializer at most; zero or less does not wait
   * @param init computes the value, if nobody else does; must not return null
   * @return the value, which is set now
   * @throws X what {@code init} threw; the cell is not set, and the next one tries
   * @throws NullPointerException if {@code init} returned null; the cell is not set, and the next one tries
   * @throws TimeoutException if another's initializer took longer; {@code init} has not run
   * @throws InterruptedException if the caller is interrupted on entry or while waiting for another; {@code init} has not run
   * @throws IllegalStateException if the caller is computing this value
   */
  public <X extends Throwable> T getOrInit(Duration timeout, Body<? extends T, X> init)
      throws X, InterruptedException, TimeoutException {
    Objects.requireNonNull(init, "init");
    long nanos = Nanos.of(timeout);
    SwitchPoints.reach(this);
    T now = valueOrNull();
    if (now != null) {
      return now;
    }
    int outcome = enter(nanos);
    if (outcome == TIMED_OUT) {
      throw new TimeoutException("Waited " + timeout + " for the initializer of " + this + "; the own one has not run.");
    }
    return outcome == GRANTED ? initialize(init) : settled();
  }

  /**
   * Like {@link #getOrInit(Body)}, for methods that cannot be interrupted: an interrupt neither keeps the caller from waiting for another's
   * initializer nor ends that wait, and is pending on return. What {@code init} does with it is its own affair.
   *
   * @param <X> what the initializer may throw; inferred, so checked exceptions pass through as they are
   * @param init computes the value, if nobody else does; must not return null
   * @return the value, which is set now
   * @throws X what {@code init} threw; the cell is not set, and the next one tries
   * @throws NullPointerException if {@code init} returned null; the cell is not set, and the next one tries
   * @throws IllegalStateException if the caller is computing this value
   */
  public <X extends Throwable> T getOrInitUninterruptibly(Body<? extends T, X> init) throws X {
    Objects.requireNonNull(init, "init");
    SwitchPoints.reach(this);
    T now = valueOrNull();
    if (now != null) {
      return now;
    }
    refuseInitializer();
    int outcome = turn.takeOne() ? GRANTED : turn.await(1, true, this, false, FOREVER);
    return outcome == GRANTED ? initialize(init) : settled();
  }

  /**
   * Sets the value. Never blocks.
   *
   * @param newValue the value for good; null is refused
   * @throws AlreadySetException if there is a value; it stays
   * @throws InitializingException if the value is being computed
   */
  public void set(T newValue) {
    if (!trySet(newValue)) {
      T now = valueOrNull();
      if (now != null) {
        throw new AlreadySetException(now, newValue);
      }
      throw new InitializingException(
          "An initializer of " + this + " is running or about to: set the value before anybody calls getOrInit, or leave it"
              + " to them.");
    }
  }

  /**
   * Sets the value if there is none and none is being computed. Never blocks.
   *
   * @param newValue the value for good; null is refused
   * @return false if there is a value, or one is being computed; nothing changes
   */
  public boolean trySet(T newValue) {
    Objects.requireNonNull(newValue, "A cell cannot hold null: null means that there is no value yet.");
    SwitchPoints.reach(this);
    for (int attempt = 0; !SETTER.compareAndSet(this, null, newValue); attempt++) {
      if (valueOrNull() != null) {
        return false;
      }
      // Another is a few instructions from having set it, or from finding that it cannot. Whoever is refused for its value finds that.
      Backoff.pause(attempt);
    }
    if (!turn.tryTake(1)) {
      SETTER.setRelease(this, null);
      return false;
    }
    publish(newValue);
    return true;
  }

  /** {@return how many wait for another's initializer} */
  public int waiting() {
    SwitchPoints.reach(this);
    return turn.waiting();
  }

  /** Says whether the value is set, not what it is. Never blocks. */
  @Override
  public String toString() {
    String state = valueOrNull() != null ? "set" : turn.available() > 0 ? "unset" : "initializing";
    return "OnceCell@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  /** Gets the turn to initialize: GRANTED, CLOSED (the value is there) or TIMED_OUT. */
  private int enter(long nanos) throws InterruptedException {
    Interrupts.check();
    refuseInitializer();
    if (nanos == 0) {
      return turn.tryTake(1) ? GRANTED : valueOrNull() != null ? CLOSED : TIMED_OUT;
    }
    int outcome = turn.takeOne() ? GRANTED : turn.await(1, true, this, true, nanos);
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    return outcome;
  }

  private void refuseInitializer() {
    if ((long) INITIALIZER.getAcquire(this) == Hosts.currentTaskId()) {
      throw new IllegalStateException(
          "The initializer of " + this + " asks for the value it is computing, and would wait for itself for ever.");
    }
  }

  private <X extends Throwable> T initialize(Body<? extends T, X> init) throws X {
    boolean done = false;
    INITIALIZER.setRelease(this, Hosts.currentTaskId());
    Ledger.took(this, 1);
    try {
      T made = compute(init);
      Objects.requireNonNull(made, "The initializer returned null, and a cell cannot hold null; the cell is still unset.");
      INITIALIZER.setRelease(this, NOBODY);
      done = true;
      publish(made);
      return made;
    } finally {
      Ledger.gave(this, 1);
      if (!done) {
        INITIALIZER.setRelease(this, NOBODY);
        turn.giveOne();
      }
    }
  }

  private <X extends Throwable> T compute(Body<? extends T, X> init) throws X {
    if (!Watch.isOn()) {
      return init.run();
    }
    taker = Taker.now();
    try {
      return init.run();
    } finally {
      taker = null;
    }
  }

  /** Who runs its initializer. */
  List<Holding> holdings() {
    long task = (long) INITIALIZER.getAcquire(this);
    return task == NOBODY ? List.of() : List.of(Holding.by(task, taker, 0));
  }

  private void publish(T made) {
    // Release: whoever reads it finds it complete. Before the close: whoever sees that finds the value.
    VALUE.setRelease(this, made);
    turn.close();
  }

  private T settled() {
    T now = valueOrNull();
    if (now == null) {
      throw new IllegalStateException("A wait for " + this + " ended before it was set.");
    }
    return now;
  }

  @SuppressWarnings("unchecked") // only values of this type are put in
  private @Nullable T valueOrNull() {
    return (T) VALUE.getAcquire(this);
  }
}

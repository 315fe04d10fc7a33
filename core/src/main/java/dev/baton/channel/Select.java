// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;

import dev.baton.host.Alternatives;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.SwitchPoints;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import dev.baton.internal.outcome.Outcome;
import dev.baton.internal.select.Selectables;
import dev.baton.internal.threads.Backoff;
import dev.baton.pattern.BatchQueue;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import dev.baton.sync.Event;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.ReadLock;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import dev.baton.sync.Waitable;
import dev.baton.sync.WriteGuard;
import dev.baton.sync.WriteLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the first of several things, takes exactly that one, and leaves all others as they were.
 *
 * {@snippet :
 * Channel<String> requests = Channel.buffered(8);
 * Event shutdown = new Event();
 * Select<Boolean> next =
 *     Select.of(
 *         Select.receive(requests, request -> { System.out.println(request); return true; }),
 *         Select.event(shutdown, () -> false),
 *         Select.after(Duration.ofSeconds(30), () -> { System.out.println("still here"); return true; }));
 * while (next.run()) {
 *   // one at a time
 * }
 * }
 *
 * <p><b>Fair.</b> If several are ready, any of them is taken, each with about the same chance; {@link #biased} takes the first in
 * the order given. Those who wait, in a select or not, stand in the same lines, and are served in the order in which they came.
 *
 * <p><b>One.</b> Exactly one clause takes effect. The others are withdrawn before the action runs, and hold nothing.
 *
 * <p><b>The end.</b> A channel or {@link BatchQueue} that is closed and drained, or a channel closed for one that sends, drops out; so do a
 * {@link Subscription} and a {@link Watcher} to which nothing will come any more. When all clauses have, {@link
 * #run} throws {@link ChannelClosedException}. A channel or broadcast that has failed ends the select with {@link ChannelFailedException};
 * a {@link Semaphore} or {@link Pool} that is closed, or a semaphore that has become too small, ends one that waits with the exception of
 * its own {@code acquire}, and is merely not ready for one that does not.
 *
 * <p>Immutable, and may be run again and again, also by several tasks at once. While something is ready, running it allocates one
 * small array, and nothing if biased, but for the {@link Result} that the end of a task, promise or stage is told by; a wait allocates one or
 * two small objects per clause.
 *
 * @param <R> what the actions return
 */
public final class Select<R extends @Nullable Object> {
  static {
    Alternatives.install(blocker -> blocker instanceof Select<?> select ? select.awaited() : null);
  }

  private final List<WaitingClause<R>> clauses;

  /** The numbers of the clauses, as given. Never written. */
  private final int[] inOrder;

  private final boolean biased;
  private final Clause.@Nullable After<R> after;
  private final Clause.@Nullable Otherwise<R> otherwise;

  private Select(
      List<WaitingClause<R>> clauses,
      boolean biased,
      Clause.@Nullable After<R> after,
      Clause.@Nullable Otherwise<R> otherwise) {
    this.clauses = clauses;
    this.inOrder = IntStream.range(0, clauses.size()).toArray();
    this.biased = biased;
    this.after = after;
    this.otherwise = otherwise;
  }

  /**
   * Waits for the first of these.
   *
   * @param <R> what the actions return, and with it the select
   * @param clauses one at least, of which {@link #run} takes one
   * @return a select that can be run any number of times, also by several threads at once
   * @throws IllegalArgumentException if there is none, or more than one {@link #otherwise}; of several {@link #after}, the
   *     shortest counts
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static <R extends @Nullable Object> Select<R> of(Clause<? extends R>... clauses) {
    return of(Arrays.asList(Objects.requireNonNull(clauses, "clauses")));
  }

  /**
   * Waits for the first of these; see {@link #of(Clause[])}.
   *
   * @param <R> what the actions return, and with it the select
   * @param clauses one at least, of which {@link #run} takes one
   * @return a select that can be run any number of times, also by several threads at once
   */
  @SuppressWarnings("unchecked") // a clause only returns R
  public static <R extends @Nullable Object> Select<R> of(List<? extends Clause<? extends R>> clauses) {
    clauses.forEach(clause -> Objects.requireNonNull(clause, "clause"));
    List<Clause<R>> all = (List<Clause<R>>) List.copyOf(clauses);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("A select without clauses would wait for ever: give it at least one.");
    }
    List<WaitingClause<R>> waiting = new ArrayList<>();
    Clause.After<R> shortest = null;
    Clause.Otherwise<R> otherwise = null;
    for (Clause<R> clause : all) {
      switch (clause) {
        case WaitingClause<R> ordinary -> waiting.add(ordinary);
        case Clause.After<R> after -> shortest = shortest == null || after.nanos < shortest.nanos ? after : shortest;
        case Clause.Otherwise<R> other -> {
          if (otherwise != null) {
            throw new IllegalArgumentException("A select has one clause for what to do otherwise, not several.");
          }
          otherwise = other;
        }
      }
    }
    return new Select<>(List.copyOf(waiting), false, shortest, otherwise);
  }

  /** {@return the same, but if several are ready it takes the first of them in the order given} */
  public Select<R> biased() {
    return new Select<>(clauses, true, after, otherwise);
  }

  // ---- clauses ----

  /**
   * Receives a value.
   *
   * @param <T> the type of the values
   * @param <R> what the action returns, and with it the select
   * @param channel what to receive from
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <T, R extends @Nullable Object> Clause<R> receive(
      Channel<T> channel, Function<? super T, ? extends R> action) {
    return new ReceiveClause<>(channel, action);
  }

  /**
   * Receives a value of a broadcast. If values were missed, the run ends with {@link LaggedException}, as {@link Subscription#receive} would
   * have, and the next run goes on with what is left.
   *
   * @param <T> the type of the values
   * @param <R> what the action returns, and with it the select
   * @param subscription where to receive
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <T, R extends @Nullable Object> Clause<R> hear(
      Subscription<T> subscription, Function<? super T, ? extends R> action) {
    return new HearClause<>(subscription, action);
  }

  /**
   * Waits for a value that {@code watcher} has not seen; it is seen then, as with {@link Watcher#changed}.
   *
   * @param <T> the type of the value
   * @param <R> what the action returns, and with it the select
   * @param watcher who has not seen it
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <T, R extends @Nullable Object> Clause<R> changed(
      Watcher<T> watcher, Function<? super T, ? extends R> action) {
    return new ChangeClause<>(watcher, action);
  }

  /**
   * Sends {@code value}.
   *
   * @param <T> the type of the values
   * @param <R> what the action returns, and with it the select
   * @param channel what to send to
   * @param value what to send; null is refused
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <T, R extends @Nullable Object> Clause<R> send(
      Channel<T> channel, T value, Supplier<? extends R> action) {
    Objects.requireNonNull(value, "value");
    return new SendClause<>(channel, () -> value, action);
  }

  /**
   * Sends what {@code value} returns, which is not null. It is asked when the select tries and again when it waits, and for
   * values that are then not sent because another clause was first: so it should look and not take, and must not block.
   *
   * @param <T> the type of the values
   * @param <R> what the action returns, and with it the select
   * @param channel what to send to
   * @param value what makes the value
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <T, R extends @Nullable Object> Clause<R> sendNext(
      Channel<T> channel, Supplier<? extends T> value, Supplier<? extends R> action) {
    return new SendClause<>(channel, value, action);
  }

  /**
   * Takes one permit.
   *
   * @param <R> what the action returns, and with it the select
   * @param semaphore whose permits
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select; the action has to close the permit
   */
  public static <R extends @Nullable Object> Clause<R> permit(
      Semaphore semaphore, Function<? super Permit, ? extends R> action) {
    return permits(semaphore, 1, action);
  }

  /**
   * Takes {@code n} permits together.
   *
   * @param <R> what the action returns, and with it the select
   * @param semaphore whose permits
   * @param n how many permits, together; at least 1
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select; the action has to close the permits
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public static <R extends @Nullable Object> Clause<R> permits(
      Semaphore semaphore, long n, Function<? super Permit, ? extends R> action) {
    return new PermitClause<>(semaphore, n, action);
  }

  /**
   * Borrows a resource of a pool. A factory or a health check runs once this is the one, after all others were withdrawn: what it
   * throws ends the select, as {@link Pool#acquire} would have. {@code action} must see to it that the resource is given back.
   *
   * @param <T> the type of the values
   * @param <R> what the action returns, and with it the select
   * @param pool whose resources
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select; the action has to close the loan
   */
  public static <T, R extends @Nullable Object> Clause<R> borrow(
      Pool<T> pool, Function<? super Borrowed<T>, ? extends R> action) {
    return new BorrowClause<>(pool, action);
  }

  /**
   * Takes {@code n} items of a queue together; fewer once it is closed, as {@link BatchQueue#getMany} does.
   *
   * @param <T> the type of the values
   * @param <R> what the action returns, and with it the select
   * @param queue whose items
   * @param n how many items, together; at least 1, and at most {@link BatchQueue#MAX_BATCH} if the select has to wait: else its run is refused
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   * @throws IllegalArgumentException if {@code n} is less than 1
   */
  public static <T, R extends @Nullable Object> Clause<R> getMany(
      BatchQueue<T> queue, int n, Function<? super List<T>, ? extends R> action) {
    return new BatchClause<>(queue, n, action);
  }

  /**
   * Takes the lock.
   *
   * @param <R> what the action returns, and with it the select
   * @param mutex which lock
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select; the action has to close the guard
   */
  public static <R extends @Nullable Object> Clause<R> lock(Mutex mutex, Function<? super Guard, ? extends R> action) {
    return new LockClause<>(mutex, action);
  }

  /**
   * Takes the lock for reading.
   *
   * @param <R> what the action returns, and with it the select
   * @param lock which lock
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select; the action has to close the guard
   */
  public static <R extends @Nullable Object> Clause<R> lock(ReadLock lock, Function<? super Guard, ? extends R> action) {
    return new LockClause<>(lock, action);
  }

  /**
   * Takes the lock for writing.
   *
   * @param <R> what the action returns, and with it the select
   * @param lock which lock
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select; the action has to close the guard
   */
  public static <R extends @Nullable Object> Clause<R> lock(
      WriteLock lock, Function<? super WriteGuard, ? extends R> action) {
    Objects.requireNonNull(action, "action");
    return new LockClause<>(lock, guard -> action.apply((WriteGuard) guard));
  }

  /**
   * Waits for the end of a task, or for a promise; {@code action} gets the outcome, be it a value or an error.
   *
   * @param <T> the type of the result
   * @param <R> what the action returns, and with it the select
   * @param waitable whose end
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <T extends @Nullable Object, R extends @Nullable Object> Clause<R> done(
      Waitable<T> waitable, Function<? super Result<T>, ? extends R> action) {
    Objects.requireNonNull(action, "action");
    if (!(waitable instanceof Outcome<?> outcome)) {
      Objects.requireNonNull(waitable, "waitable");
      throw new IllegalArgumentException("Only tasks and promises of Baton's can be waited for here, not " + waitable + ".");
    }
    return new CompletionClause<>(outcome, outcome, ended -> action.apply(Outcome.resultFrom(ended)));
  }

  /**
   * Waits for a stage of any kind. A {@code CompletableFuture} forgets a select that was served elsewhere. Any other stage is
   * asked once, here, to tell its end: keep the clause rather than make it anew for one that lives long.
   *
   * @param <T> the type of the result
   * @param <R> what the action returns, and with it the select
   * @param stage whose end
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <T extends @Nullable Object, R extends @Nullable Object> Clause<R> stage(
      CompletionStage<T> stage, Function<? super Result<T>, ? extends R> action) {
    return new StageClause<>(Objects.requireNonNull(stage, "stage"), action);
  }

  /**
   * Waits for an event.
   *
   * @param <R> what the action returns, and with it the select
   * @param event which event
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <R extends @Nullable Object> Clause<R> event(Event event, Supplier<? extends R> action) {
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(action, "action");
    return new CompletionClause<>(event, Selectables.completion(event), set -> action.get());
  }

  /**
   * Ends the wait after so long, counted anew by each run; zero or less only if nothing is ready at once.
   *
   * @param <R> what the action returns, and with it the select
   * @param timeout how long to wait at most
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <R extends @Nullable Object> Clause<R> after(Duration timeout, Supplier<? extends R> action) {
    return new Clause.After<>(Nanos.of(timeout), Objects.requireNonNull(action, "action"));
  }

  /**
   * Ends the select if nothing is ready: it never waits.
   *
   * @param <R> what the action returns, and with it the select
   * @param action what to do once it has happened; runs when all others are withdrawn, on the thread that runs the select
   * @return a clause to give to a select
   */
  public static <R extends @Nullable Object> Clause<R> otherwise(Supplier<? extends R> action) {
    return new Clause.Otherwise<>(Objects.requireNonNull(action, "action"));
  }

  // ---- running ----

  /**
   * Waits for the first that is ready, takes it, and returns what its action returns.
   *
   * @return what the action of the one clause returned that was taken
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; nothing was taken. Delivery wins: if one
   *     clause has taken effect before the interrupt was seen, this returns, with the interrupt pending
   * @throws ChannelClosedException if all clauses have dropped out; nothing was taken
   * @throws ChannelFailedException if a channel or broadcast has failed; nothing was taken
   * @throws LaggedException if a subscription has missed values, which is told once; nothing was taken
   * @throws IllegalMonitorStateException if nothing is ready and a clause is for a lock for which the caller would have to wait for itself,
   *     as it does if it holds that; even if another clause would have ended the wait. Nothing was taken
   */
  public R run() throws InterruptedException {
    SwitchPoints.reach(this);
    Interrupts.check();
    int[] order = biased || inOrder.length < 2 ? inOrder : shuffled();
    int over = 0;
    for (int index : order) {
      WaitingClause<R> clause = clauses.get(index);
      Object taken = clause.poll();
      if (taken == WaitingClause.OVER) {
        over++;
      } else if (taken != null) {
        return clause.apply(taken);
      }
    }
    if (otherwise != null) {
      return otherwise.action.get();
    }
    if (after != null && after.nanos == 0) {
      return after.action.get();
    }
    if (over == order.length && after == null) {
      throw allOver();
    }
    return await(order);
  }

  /** Each order is as likely as any other. From a random start round and round, one behind many not ready would be favoured. */
  private int[] shuffled() {
    Host host = Hosts.current();
    int[] order = inOrder.clone();
    for (int i = order.length - 1; i > 0; i--) {
      int other = host.nextInt(i + 1);
      int index = order[i];
      order[i] = order[other];
      order[other] = index;
    }
    return order;
  }

  private static ChannelClosedException allOver() {
    return new ChannelClosedException("Every channel, queue, subscription or watch of this select has ended and has nothing left: nothing can ever be ready.");
  }

  private R await(int[] order) throws InterruptedException {
    int size = order.length;
    // A deadline keeps a select alive whose channels have all dropped out.
    Selection selection = new Selection(after == null ? size : size + 1);
    // In the order in which they are put in line.
    SelectRequest[] requests = new SelectRequest[size];
    int submitted = 0;
    int outcome;
    Object taken = null;
    try {
      for (int i = 0; i < size; i++) {
        requests[i] = clauses.get(order[i]).request(selection, order[i]);
      }
      while (submitted < size && !selection.isClaimed()) {
        SelectRequest request = requests[submitted++];
        clause(request).submit(request);
      }
      outcome = await(selection);
      SelectRequest winner = (SelectRequest) selection.winner();
      withdraw(requests, submitted, winner);
      if (winner != null) {
        taken = clause(winner).taken(winner);
      }
    } catch (Throwable failure) {
      abandon(selection, requests, submitted, failure);
      throw failure;
    }
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome == TIMED_OUT) {
      return Objects.requireNonNull(after).action.get();
    }
    if (taken == null) {
      throw allOver();
    }
    return clause((SelectRequest) Objects.requireNonNull(selection.winner())).apply(taken);
  }

  /** INTERRUPTED or TIMED_OUT if nobody serves it any more; otherwise it is decided. */
  private int await(Selection selection) {
    int outcome = selection.await(this, true, after == null ? FOREVER : after.nanos);
    if (outcome >= WAITING || selection.giveUp()) {
      return outcome;
    }
    // Somebody serves us in this very moment: delivery wins.
    int delivered = selection.await(this, false, FOREVER);
    if (outcome == INTERRUPTED) {
      Thread.currentThread().interrupt();
    }
    return delivered;
  }

  private WaitingClause<R> clause(SelectRequest request) {
    return clauses.get(request.index());
  }

  /** Takes the first {@code submitted} requests, except {@code winner}, out of their lines. An error skips none of them. */
  private void withdraw(SelectRequest[] requests, int submitted, @Nullable SelectRequest winner) {
    Throwable failure = null;
    for (int i = 0; i < submitted; i++) {
      if (requests[i] != winner) {
        try {
          clause(requests[i]).withdraw(requests[i]);
        } catch (Throwable t) {
          failure = Failures.join(failure, t);
        }
      }
    }
    if (failure != null) {
      throw Failures.<RuntimeException>rethrow(failure);
    }
  }

  /** The task is being thrown out of its wait by {@code failure}. What it was served and has not got goes back. */
  private void abandon(Selection selection, SelectRequest[] requests, int submitted, Throwable failure) {
    if (!selection.giveUp()) {
      for (int attempt = 0; selection.outcome() == WAITING; attempt++) {
        // Whoever has claimed it is about to say so.
        Backoff.pause(attempt);
      }
    }
    SelectRequest winner = (SelectRequest) selection.winner();
    try {
      withdraw(requests, submitted, winner);
      if (winner != null && winner.outcome() == GRANTED) {
        clause(winner).giveBack(winner);
      }
    } catch (Throwable further) {
      Failures.join(failure, further);
    }
  }

  private List<Alternatives.Part> awaited() {
    return clauses.stream().map(WaitingClause::awaited).toList();
  }

  @Override
  public String toString() {
    return "Select[" + clauses.size() + " clauses]";
  }
}

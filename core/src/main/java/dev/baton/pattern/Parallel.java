// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.internal.kernel.Failures;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does the same work for many items, at most so many at a time.
 *
 * {@snippet :
 * List<String> names = List.of("wash", "dry", "fold");
 * List<Integer> lengths = Parallel.map(names, 2, name -> name.length());
 * Parallel.forEach(names, 2, name -> System.out.println(name));
 * }
 *
 * <p><b>What it avoids.</b> One thread per item that then waits for its turn: items are pulled from their source only when there is
 * room for one more task, so sources may be long, slow or without end. Workers that nobody ends, or that idle: there are never more
 * than {@code limit} threads, nor more than items, and each ends when there is nothing for it to do. Senders that block for ever because
 * the one who collects has failed: on return, in whichever way, all tasks have ended.
 *
 * <p><b>Failures.</b> The first error, of a task or of the source, is thrown itself, checked or not, with later ones suppressed in it.
 * By then no further task is started, and those that ran have been interrupted and have ended.
 *
 * <p><b>Cancellation.</b> If the caller is interrupted, or a deadline of the scopes around it passes, all tasks are interrupted and have
 * ended when that is thrown.
 *
 * <p><b>Order.</b> Tasks begin in the order of the items, as far as things that happen at the same time have one; results stand in the
 * order of the items.
 *
 * <p><b>Threads.</b> Tasks run on virtual threads, with the {@link dev.baton.scope.ContextCarrier contexts} of the caller. A thread runs
 * one task after the other: a thread-local that a task sets may be seen by a later one, an interrupt flag that it leaves set may not.
 * The source is asked by one thread at a time, the caller's or a task's, and what one of them did there is seen by the next.
 *
 * <p><b>Memory effects.</b> What was done before the call is seen by tasks, and what they did is seen after it.
 */
public final class Parallel {
  private Parallel() {}

  /**
   * Work for one item that returns a value.
   *
   * @param <T> the type of the items
   * @param <R> what it returns
   * @param <X> what it may throw; inferred, so checked exceptions pass through as they are
   */
  @FunctionalInterface
  public interface Mapper<T extends @Nullable Object, R extends @Nullable Object, X extends Exception> {

    /**
     * Does the work.
     *
     * @param item one of the items
     * @return what stands in the place of the item
     * @throws X what ends the whole; the first of several is thrown, with the others suppressed in it
     */
    R apply(T item) throws X;
  }

  /**
   * Work for one item that returns nothing.
   *
   * @param <T> the type of the items
   * @param <X> what it may throw; inferred, so checked exceptions pass through as they are
   */
  @FunctionalInterface
  public interface Action<T extends @Nullable Object, X extends Exception> {

    /**
     * Does the work.
     *
     * @param item one of the items
     * @throws X what ends the whole; the first of several is thrown, with the others suppressed in it
     */
    void accept(T item) throws X;
  }

  /**
   * Does {@code work} for all items, at most {@code limit} at a time.
   *
   * @param <T> the type of the items
   * @param <R> the type of the results
   * @param <X> what the work may throw; inferred, so checked exceptions pass through as they are
   * @param items for what the work is done; asked for one by one, as there is room
   * @param limit how many at a time at most; at least 1
   * @param work what to do for one item, on a virtual thread
   * @return the results, in the order of the items
   * @throws X the first error
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; all tasks have ended
   * @throws DeadlineExceededException if a deadline around the caller passed first; all tasks have ended
   * @throws IllegalArgumentException if {@code limit} is less than 1; nothing was pulled
   */
  public static <T extends @Nullable Object, R extends @Nullable Object, X extends Exception> List<R> map(
      Iterable<? extends T> items, int limit, Mapper<? super T, ? extends R, X> work) throws X, InterruptedException {
    Objects.requireNonNull(items, "items");
    require(limit, work);
    return mapAll(items.iterator(), limit, work);
  }

  /**
   * See {@link #map(Iterable, int, Mapper)}, also for what is true when it is interrupted.
   *
   * @param <T> the type of the items
   * @param <R> the type of the results
   * @param <X> what the work may throw; inferred, so checked exceptions pass through as they are
   * @param items for what the work is done; asked for one by one, as there is room
   * @param limit how many at a time at most; at least 1
   * @param work what to do for one item, on a virtual thread
   * @return the results, in the order of the items
   * @throws X the first error; all work has ended
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; all work has been interrupted, and
   *     has ended
   */
  public static <T extends @Nullable Object, R extends @Nullable Object, X extends Exception> List<R> map(
      Iterator<? extends T> items, int limit, Mapper<? super T, ? extends R, X> work) throws X, InterruptedException {
    require(limit, work);
    return mapAll(items, limit, work);
  }

  /**
   * See {@link #map(Iterable, int, Mapper)}, also for what is true when it is interrupted. As by any other terminal operation, the stream is used up and not closed.
   *
   * @param <T> the type of the items
   * @param <R> the type of the results
   * @param <X> what the work may throw; inferred, so checked exceptions pass through as they are
   * @param items for what the work is done; asked for one by one, as there is room
   * @param limit how many at a time at most; at least 1
   * @param work what to do for one item, on a virtual thread
   * @return the results, in the order of the items
   * @throws X the first error; all work has ended
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; all work has been interrupted, and
   *     has ended
   */
  public static <T extends @Nullable Object, R extends @Nullable Object, X extends Exception> List<R> map(
      Stream<? extends T> items, int limit, Mapper<? super T, ? extends R, X> work) throws X, InterruptedException {
    Objects.requireNonNull(items, "items");
    require(limit, work);
    return mapAll(items.iterator(), limit, work);
  }

  /**
   * Does {@code work} for all items, at most {@code limit} at a time. If the source has no end, that is until something fails or the
   * caller is interrupted.
   *
   * @param <T> the type of the items
   * @param <X> what the work may throw; inferred, so checked exceptions pass through as they are
   * @param items for what the work is done; asked for one by one, as there is room
   * @param limit how many at a time at most; at least 1
   * @param work what to do for one item, on a virtual thread
   * @throws X the first error
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; all tasks have ended
   * @throws DeadlineExceededException if a deadline around the caller passed first; all tasks have ended
   * @throws IllegalArgumentException if {@code limit} is less than 1; nothing was pulled
   */
  public static <T extends @Nullable Object, X extends Exception> void forEach(
      Iterable<? extends T> items, int limit, Action<? super T, X> work) throws X, InterruptedException {
    Objects.requireNonNull(items, "items");
    require(limit, work);
    doAll(items.iterator(), limit, work);
  }

  /**
   * See {@link #forEach(Iterable, int, Action)}, also for what is true when it is interrupted.
   *
   * @param <T> the type of the items
   * @param <X> what the work may throw; inferred, so checked exceptions pass through as they are
   * @param items for what the work is done; asked for one by one, as there is room
   * @param limit how many at a time at most; at least 1
   * @param work what to do for one item, on a virtual thread
   * @throws X the first error; all work has ended
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; all work has been interrupted, and
   *     has ended
   */
  public static <T extends @Nullable Object, X extends Exception> void forEach(
      Iterator<? extends T> items, int limit, Action<? super T, X> work) throws X, InterruptedException {
    require(limit, work);
    doAll(items, limit, work);
  }

  /**
   * See {@link #forEach(Iterable, int, Action)}, also for what is true when it is interrupted. As by any other terminal operation, the stream is used up and not closed.
   *
   * @param <T> the type of the items
   * @param <X> what the work may throw; inferred, so checked exceptions pass through as they are
   * @param items for what the work is done; asked for one by one, as there is room
   * @param limit how many at a time at most; at least 1
   * @param work what to do for one item, on a virtual thread
   * @throws X the first error; all work has ended
   * @throws InterruptedException if the caller is interrupted on entry or while waiting; all work has been interrupted, and
   *     has ended
   */
  public static <T extends @Nullable Object, X extends Exception> void forEach(
      Stream<? extends T> items, int limit, Action<? super T, X> work) throws X, InterruptedException {
    Objects.requireNonNull(items, "items");
    require(limit, work);
    doAll(items.iterator(), limit, work);
  }

  private static void require(int limit, Object work) {
    Objects.requireNonNull(work, "work");
    if (limit < 1) {
      throw new IllegalArgumentException("A limit of " + limit + " would let no task run: expected at least 1.");
    }
  }

  private static <T extends @Nullable Object, R extends @Nullable Object, X extends Exception> List<R> mapAll(
      Iterator<? extends T> items, int limit, Mapper<? super T, ? extends R, X> work) throws X, InterruptedException {
    Objects.requireNonNull(items, "items");
    Results<R> results = new Results<>();
    run(new ParallelRun<>(items, limit, work, results));
    return results.toList();
  }

  private static <T extends @Nullable Object, X extends Exception> void doAll(
      Iterator<? extends T> items, int limit, Action<? super T, X> work) throws X, InterruptedException {
    Objects.requireNonNull(items, "items");
    Mapper<T, @Nullable Void, X> mapper =
        item -> {
          work.accept(item);
          return null;
        };
    run(new ParallelRun<>(items, limit, mapper, null));
  }

  private static <X extends Exception> void run(ParallelRun<?, ?, X> run) throws X, InterruptedException {
    Interrupts.check();
    try {
      Scope.run(run::pullAndFork);
    } catch (Throwable failure) {
      throw Failures.<X>rethrow(failure);
    }
  }
}

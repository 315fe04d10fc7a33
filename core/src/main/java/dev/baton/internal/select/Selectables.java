// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.select;

import dev.baton.internal.kernel.BatchBuffer;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.PermitQueue;
import dev.baton.pattern.BatchQueue;
import dev.baton.pattern.Pool;
import dev.baton.sync.Event;
import dev.baton.sync.Guard;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The way in to what the primitives of other packages keep to themselves, for a select. Each of their classes says how when
 * it is initialized, which it is before there can be an object of it.
 */
public final class Selectables {
  private static volatile @Nullable Semaphores semaphores;
  private static volatile @Nullable Locks locks;
  private static volatile @Nullable Function<Event, Completion> events;
  private static volatile @Nullable Function<Pool<?>, Lending> pools;
  private static volatile @Nullable Function<BatchQueue<?>, BatchBuffer> batches;

  private Selectables() {}

  /** Semaphores. */
  public interface Semaphores {

    /** Where requests for permits stand. */
    PermitQueue queue(Semaphore semaphore);

    /** Refuses a bad count. */
    void require(Semaphore semaphore, long n);

    /** The permit for {@code n} that were granted to the calling task. */
    Permit taken(Semaphore semaphore, long n);

    /** The error for a request that was not granted. */
    RuntimeException failure(Semaphore semaphore, int outcome, long n);
  }

  /** Mutexes, and the two sides of a read-write lock. */
  public interface Locks {

    /** Where requests for the lock stand. */
    PermitQueue queue(Lock lock);

    /** The lock itself, or what it is one side of. */
    Object whole(Lock lock);

    /** How many permits of its queue the lock is. */
    long permits(Lock lock);

    /** Takes the lock if it is free and nobody waits. */
    boolean tryTake(Lock lock);

    /** Why {@code task} would wait for ever, as far as it is known; null if it is not. */
    @Nullable String endlessWait(Lock lock, long task);

    /** The guard of a lock that was granted to the calling task. */
    Guard taken(Lock lock);
  }

  /** A pool. */
  public interface Lending {

    /** Where requests for one permit, which stands for a resource, are made. */
    PermitQueue queue();

    /** What the calling task gets for a permit that it was granted. Runs foreign code; if that throws, the permit was given back. */
    Object lend();

    /** The error for a request that was not granted. */
    RuntimeException failure(int outcome);
  }

  /** Says how semaphores are looked into. */
  public static void semaphores(Semaphores access) {
    semaphores = access;
  }

  /** Says how locks are looked into. */
  public static void locks(Locks access) {
    locks = access;
  }

  /** Says how events are looked into. */
  public static void events(Function<Event, Completion> access) {
    events = access;
  }

  /** Says how pools are looked into. */
  public static void pools(Function<Pool<?>, Lending> access) {
    pools = access;
  }

  /** Says how queues are looked into. */
  public static void batches(Function<BatchQueue<?>, BatchBuffer> access) {
    batches = access;
  }

  /** How semaphores are looked into. */
  public static Semaphores semaphores() {
    return Objects.requireNonNull(semaphores);
  }

  /** How locks are looked into. */
  public static Locks locks() {
    return Objects.requireNonNull(locks);
  }

  /** What completes when {@code event} happens. */
  public static Completion completion(Event event) {
    return Objects.requireNonNull(events).apply(event);
  }

  /** How {@code pool} lends. */
  public static Lending lending(Pool<?> pool) {
    return Objects.requireNonNull(pools).apply(pool);
  }

  /** Where the items of {@code queue} are. */
  public static BatchBuffer buffer(BatchQueue<?> queue) {
    return Objects.requireNonNull(batches).apply(queue);
  }
}

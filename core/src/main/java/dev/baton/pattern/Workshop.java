// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.kernel.PermitQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes, checks and destroys the resources of a pool: all its foreign code, run with no lock held; and keeps those that are idle.
 *
 * <p>Who has a permit may have one resource. Whoever takes a resource off the stack has a permit, whoever puts one there gives its own
 * back after that, and a resource is made only by one who has a permit and found the stack empty. So with I idle ones, and P permits taken
 * of which some are not used yet,
 *
 * <pre>
 *   I + resources of those with a permit ≤ limit
 * </pre>
 *
 * <p>at every step: when one is about to be made I was 0, and each of the others belongs to another permit; and neither putting one on
 * the stack nor taking one off changes the sum.
 */
final class Workshop<T> {
  private final PermitQueue permits;
  private final IdleStack idle;
  private final long maxIdle;
  private final IdleTimer idleTimer = new IdleTimer();
  private final Callable<? extends T> factory;
  private final Pool.@Nullable HealthCheck<? super T> check;
  private final Pool.Destroyer<? super T> destroyer;
  private final Consumer<? super Throwable> failed;

  // Counted where resources come and go, not where they are lent.

  final AtomicLong live = new AtomicLong();

  /** Of those, the ones that are being made or destroyed. */
  final AtomicLong transit = new AtomicLong();

  /** Of those, the ones that are destroyed by one who has no permit for them: because the pool is closed. */
  final AtomicLong transitWithoutPermit = new AtomicLong();

  final AtomicLong made = new AtomicLong();
  final AtomicLong notMade = new AtomicLong();
  final AtomicLong destroyed = new AtomicLong();
  final AtomicLong evicted = new AtomicLong();
  final AtomicLong expired = new AtomicLong();
  final AtomicLong unhealthy = new AtomicLong();
  final AtomicLong hijacked = new AtomicLong();

  /** For resources that may be had with a permit of {@code permits}, and lie idle for at most {@code maxIdle} nanoseconds, or FOREVER. */
  Workshop(
      PermitQueue permits,
      long maxIdle,
      Callable<? extends T> factory,
      Pool.@Nullable HealthCheck<? super T> check,
      Pool.Destroyer<? super T> destroyer,
      Consumer<? super Throwable> failed) {
    this.permits = permits;
    this.maxIdle = maxIdle;
    this.idle = new IdleStack(maxIdle != FOREVER);
    this.factory = factory;
    this.check = check;
    this.destroyer = destroyer;
    this.failed = failed;
  }

  // ---- lending, to one who has a permit ----

  /** An idle one that needs no check, or null: then {@link #prepare} must follow. */
  @Nullable Resource takeReady() {
    return check == null ? idle.pop() : null;
  }

  /**
   * An idle one that is healthy, or a new one, for {@code holder}.
   *
   * @throws Exception what the factory has thrown, or InterruptedException of the check; the permit was given back
   */
  Resource prepare(Borrowed<?> holder) throws Exception {
    try {
      for (Resource resource = idle.pop(); resource != null; resource = idle.pop()) {
        if (isHealthy(resource, holder)) {
          return resource;
        }
        destroy(resource, unhealthy);
      }
      return make();
    } catch (Throwable failure) {
      try {
        givePermit();
      } catch (Throwable further) {
        Failures.join(failure, further);
      }
      throw failure;
    }
  }

  private Resource make() throws Exception {
    if (permits.isClosed()) {
      // The stack may be empty because what was in it is being destroyed, without a permit: one more could be one too many.
      throw Loans.closed();
    }
    live.incrementAndGet();
    transit.incrementAndGet();
    Resource resource = null;
    try {
      T value = factory.call();
      if (value == null) {
        throw new NullPointerException("The factory of the pool returned null: it must return a resource or throw.");
      }
      resource = new Resource(value);
    } finally {
      (resource == null ? notMade : made).incrementAndGet();
      if (resource == null) {
        live.decrementAndGet();
      }
      transit.decrementAndGet();
    }
    return resource;
  }

  private boolean isHealthy(Resource resource, Borrowed<?> holder) throws InterruptedException {
    if (check == null) {
      return true;
    }
    try {
      return check.isHealthy(Pool.<T>cast(resource.value));
    } catch (InterruptedException cutShort) {
      // Says nothing about the resource. The permit goes back after it, and the holder is not used for anything else.
      holder.resource = resource;
      store(holder, resource);
      throw cutShort;
    } catch (Throwable failure) {
      report(failure);
      return false;
    }
  }

  // ---- taking back, from one who has a permit ----

  /** Makes the resource of {@code node}, which has ended, idle, and gives the permit back. */
  void giveBack(Borrowed<?> node) {
    store(node, node.ended());
    givePermit();
  }

  private void givePermit() {
    permits.giveOne();
    if (permits.isClosed()) {
      // Whoever closed it may have looked before what was stored was there.
      destroyAll();
    }
  }

  private void store(Borrowed<?> node, Resource resource) {
    if (maxIdle == FOREVER) {
      idle.push(node);
      return;
    }
    Host host = Hosts.current();
    resource.clock = host;
    resource.idleSince = host.nanoTime();
    idle.push(node);
    if (!idleTimer.isSetBy(host)) {
      idleTimer.set(host, resource.idleSince + maxIdle, () -> destroyExpired(host));
    }
  }

  /** The resource is the caller's for good, and so is nobody's here. */
  void takeOut() {
    hijacked.incrementAndGet();
    live.decrementAndGet();
    permits.giveOne();
  }

  /** Destroys a resource, then gives the permit back. */
  void evict(Resource resource) {
    destroy(resource, evicted);
    permits.giveOne();
  }

  // ---- those that are idle ----

  private void destroyExpired(Host host) {
    // Each only with a permit, as if it were borrowed: who finds the stack empty meanwhile must not make one too many. If there is none,
    // all that exist are in use.
    for (Borrowed<?> node : idle.expired(host, maxIdle)) {
      if (!permits.tryTake(1)) {
        break;
      }
      Resource old = node.claim();
      if (old != null) {
        destroy(old, expired);
      }
      permits.giveOne();
    }
    idleTimer.clear(host);
    Long oldest = idle.oldest(host);
    if (oldest != null && !idleTimer.isSetBy(host)) {
      idleTimer.set(host, oldest + maxIdle, () -> destroyExpired(host));
    }
  }

  /** Destroys what is idle, and returns how many that were. */
  int destroyIdle() {
    int count = 0;
    while (permits.tryTake(1)) {
      Resource resource = idle.pop();
      if (resource != null) {
        destroy(resource, evicted);
        count++;
      }
      permits.giveOne();
      if (resource == null) {
        break;
      }
    }
    return count;
  }

  void close() {
    idleTimer.stop();
    try {
      permits.close();
    } finally {
      destroyAll();
    }
  }

  /** Once closed: nobody makes any more. */
  private void destroyAll() {
    for (Resource resource = idle.pop(); resource != null; resource = idle.pop()) {
      transitWithoutPermit.incrementAndGet();
      try {
        destroy(resource, null);
      } finally {
        transitWithoutPermit.decrementAndGet();
      }
    }
  }

  /** Counted as live until the destroyer has returned. Its error loses nothing: it goes to the handler. */
  private void destroy(Resource resource, @Nullable AtomicLong reason) {
    transit.incrementAndGet();
    try {
      destroyer.destroy(Pool.<T>cast(resource.value));
    } catch (Throwable failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      report(failure);
    } finally {
      destroyed.incrementAndGet();
      if (reason != null) {
        reason.incrementAndGet();
      }
      live.decrementAndGet();
      transit.decrementAndGet();
    }
  }

  private void report(Throwable failure) {
    try {
      failed.accept(failure);
    } catch (Throwable further) {
      Failures.join(failure, further);
      tell(failure);
    }
  }

  /** Where errors go that nobody has asked for. */
  static void tell(Throwable failure) {
    Thread current = Thread.currentThread();
    try {
      current.getUncaughtExceptionHandler().uncaughtException(current, failure);
    } catch (Throwable hopeless) {
      // The last resort has failed; resources are not lost for that.
    }
  }

  /** Closes what can be closed, and leaves the rest to the garbage collector. */
  static void closeIfPossible(Object resource) throws Exception {
    if (resource instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }
}

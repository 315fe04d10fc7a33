// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static dev.baton.host.Waiter.FOREVER;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.kernel.Failures;
import dev.baton.internal.kernel.Resource;
import dev.baton.internal.kernel.ResourceQueue;
import dev.baton.internal.kernel.ResourceQueue.Borrowing;
import dev.baton.internal.kernel.ResourceQueue.Reason;
import dev.baton.sync.ClosedException;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes, checks and destroys the resources of a pool: all its foreign code, run with no lock held. */
final class Workshop<T> {
  private final ResourceQueue queue;
  private final long maxIdle;
  private final IdleTimer idleTimer = new IdleTimer();
  private final Callable<? extends T> factory;
  private final Pool.@Nullable HealthCheck<? super T> check;
  private final Pool.Destroyer<? super T> destroyer;
  private final Consumer<? super Throwable> failed;

  /** For at most {@code limit} resources, each of which lies idle for at most {@code maxIdle} nanoseconds, or FOREVER. */
  @SuppressWarnings("this-escape") // the queue only keeps it
  Workshop(
      int limit,
      long maxIdle,
      Callable<? extends T> factory,
      Pool.@Nullable HealthCheck<? super T> check,
      Pool.Destroyer<? super T> destroyer,
      Consumer<? super Throwable> failed) {
    this.queue = new ResourceQueue(limit, this::unused);
    this.maxIdle = maxIdle;
    this.factory = factory;
    this.check = check;
    this.destroyer = destroyer;
    this.failed = failed;
  }

  ResourceQueue queue() {
    return queue;
  }

  // ---- lending ----

  /** Whether what was granted can be used as it is. */
  boolean isReady(Resource granted) {
    return check == null && granted != ResourceQueue.SLOT;
  }

  /**
   * The resource that {@code holder} gets for what it was granted: that one if it is healthy, another one, or a new one.
   *
   * @throws Exception what the factory has thrown, or InterruptedException of the check; nothing is held
   */
  Resource prepare(Resource granted, Object holder) throws Exception {
    Resource resource = granted;
    while (resource != ResourceQueue.SLOT) {
      if (resource == ResourceQueue.ENDED) {
        throw closed();
      }
      if (isHealthy(resource, holder)) {
        return resource;
      }
      queue.detach(resource, holder);
      destroy(resource);
      resource = queue.replace(resource, holder);
    }
    return make(holder);
  }

  private Resource make(Object holder) throws Exception {
    Resource made;
    try {
      if (queue.isClosed()) {
        throw closed();
      }
      T value = factory.call();
      if (value == null) {
        throw new NullPointerException("The factory of the pool returned null: it must return a resource or throw.");
      }
      made = new Resource(value);
    } catch (Throwable failure) {
      try {
        queue.giveSlot(!queue.isClosed());
      } catch (Throwable further) {
        Failures.join(failure, further);
      }
      throw failure;
    }
    queue.made(made, holder);
    return made;
  }

  private boolean isHealthy(Resource resource, Object holder) throws InterruptedException {
    if (check == null) {
      return true;
    }
    try {
      return check.isHealthy(value(resource));
    } catch (InterruptedException cutShort) {
      // Says nothing about the resource.
      give(resource, holder);
      throw cutShort;
    } catch (Throwable failure) {
      report(failure);
      return false;
    }
  }

  // ---- taking back ----

  /** {@code holder} returns {@code resource}. False: it does not have it; nothing has changed. */
  boolean give(Resource resource, Object holder) {
    Host clock = maxIdle == FOREVER ? null : Hosts.current();
    switch (queue.give(resource, holder, clock)) {
      case NOT_HELD -> {
        return false;
      }
      case SET_TIMER -> watchIdle(Objects.requireNonNull(clock));
      case DESTROY -> destroy(resource, Reason.CLOSED);
      case DONE -> {}
    }
    return true;
  }

  private void unused(Borrowing request) {
    Resource resource = request.resource();
    if (resource == ResourceQueue.SLOT) {
      queue.giveSlot(false);
    } else {
      give(resource, request.holder());
    }
  }

  /** Sets the timer for the one that lies idle longest, as {@code host} sees it. */
  private void watchIdle(Host host) {
    Long since = queue.idleSince(host);
    if (since != null) {
      idleTimer.set(host, since + maxIdle, () -> destroyExpired(host));
    }
  }

  private void destroyExpired(Host host) {
    Resource expired = queue.detachExpired(host, maxIdle);
    while (expired != null) {
      destroy(expired, Reason.EXPIRED);
      expired = queue.detachExpired(host, maxIdle);
    }
    watchIdle(host);
  }

  /** Destroys what lies idle, and returns how many that were. */
  int destroyIdle(Reason reason) {
    int count = 0;
    for (Resource idle = queue.detachIdle(); idle != null; idle = queue.detachIdle()) {
      destroy(idle, reason);
      count++;
    }
    return count;
  }

  void close() {
    idleTimer.stop();
    try {
      queue.close();
    } finally {
      destroyIdle(Reason.CLOSED);
    }
  }

  /** Destroys a resource that was detached; then its slot is free. */
  void destroy(Resource resource, Reason reason) {
    try {
      destroy(resource);
    } finally {
      queue.destroyed(resource, reason);
    }
  }

  /** An error loses nothing: it goes to the handler. */
  private void destroy(Resource resource) {
    try {
      destroyer.destroy(value(resource));
    } catch (Throwable failure) {
      if (failure instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      report(failure);
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

  static ClosedException closed() {
    return new ClosedException("The pool is closed: nothing can be acquired any more; what is borrowed is destroyed on its return.");
  }

  /** Closes what can be closed, and leaves the rest to the garbage collector. */
  static void closeIfPossible(Object resource) throws Exception {
    if (resource instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  private T value(Resource resource) {
    return Pool.cast(resource.value());
  }
}

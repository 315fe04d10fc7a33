// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.INTERRUPTED;
import static dev.baton.host.Waiter.TIMED_OUT;

import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.observe.Watch;
import dev.baton.internal.threads.ThreadHost;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future that waits, times out and starts work as the host of its caller does. The JDK's own parks the thread, reads the real clock
 * and uses the common pool, whatever world the caller lives in. What is derived from it is of the same kind.
 *
 * @param <T> what it delivers
 */
public class HostedFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private static final Object DONE = "done";

  /** Not complete. */
  public HostedFuture() {}

  /** What to show as waited for. */
  protected Object blocker() {
    return this;
  }

  @Override
  public <U extends @Nullable Object> CompletableFuture<U> newIncompleteFuture() {
    return new HostedFuture<>();
  }

  // ---- waiting ----

  @Override
  public T get() throws InterruptedException, ExecutionException {
    if (waitsByHost()) {
      Interrupts.check();
      if (awaitDone(true, FOREVER) == INTERRUPTED) {
        throw new InterruptedException();
      }
    }
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
    if (!waitsByHost()) {
      return super.get(timeout, unit);
    }
    Interrupts.check();
    int outcome = awaitDone(true, Math.max(unit.toNanos(timeout), 0));
    if (outcome == INTERRUPTED) {
      throw new InterruptedException();
    }
    if (outcome == TIMED_OUT && !isDone()) {
      throw new TimeoutException("Waited " + timeout + " " + unit + " for " + this + "; it has not ended.");
    }
    return super.get();
  }

  @Override
  public T join() {
    if (waitsByHost()) {
      awaitDone(false, FOREVER);
    }
    return super.join();
  }

  /** The JDK waits well enough where threads are all there is; but of who waits there nothing can be written down. */
  private boolean waitsByHost() {
    SwitchPoints.reach(this);
    return !isDone() && (Hosts.current() != ThreadHost.INSTANCE || Watch.isOn());
  }

  private int awaitDone(boolean interruptible, long nanos) {
    Completion done = new Completion();
    CompletableFuture<@Nullable Void> withdrawn = new CompletableFuture<>();
    // The one of these that ends takes its callback off the other: a future that lives long does not collect those who have given up.
    CompletableFuture.anyOf(this, withdrawn).whenComplete((value, failure) -> done.complete(DONE));
    try {
      return done.await(blocker(), interruptible, nanos);
    } finally {
      withdrawn.complete(null);
    }
  }

  // ---- time-outs: also on ordinary threads by the host, whose timer starts a task for what may be foreign code ----

  @Override
  public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
    return after(
        unit.toNanos(timeout),
        () -> completeExceptionally(new TimeoutException("Not completed within " + timeout + " " + unit + ".")));
  }

  @Override
  public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
    return after(unit.toNanos(timeout), () -> complete(value));
  }

  private CompletableFuture<T> after(long nanos, Runnable action) {
    if (!isDone()) {
      Host host = Hosts.current();
      Host.Timer timer = Alarms.set(host, host.nanoTime() + Math.max(nanos, 0), "baton-timeout", action);
      whenComplete((value, failure) -> timer.cancel());
    }
    return this;
  }

  // ---- starting ----

  @Override
  public Executor defaultExecutor() {
    Host host = Hosts.current();
    return host == ThreadHost.INSTANCE ? super.defaultExecutor() : task -> host.start("", task);
  }
}

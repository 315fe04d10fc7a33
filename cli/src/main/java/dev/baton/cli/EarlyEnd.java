// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.check.Progress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ctrl-C, or another signal that ends the JVM, during a search: the search ends after the present run, and what it has found until
 * then is told before the JVM goes. The exit code is that of the signal.
 */
final class EarlyEnd implements AutoCloseable {
  /** How long the present run may take to end. One that computes for ever does not keep the command. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  private final PrintWriter out;
  private final Thread searcher = Thread.currentThread();
  private final Thread hook = new Thread(this::asked, "baton-stop-check");
  private final CountDownLatch over = new CountDownLatch(1);

  /** Whoever sets it tells the result: the searcher, or the hook if the searcher does not come back. */
  private final AtomicBoolean telling = new AtomicBoolean();

  private volatile boolean asked;
  private volatile long schedules;

  /** From now on, until it is closed, a signal ends the search of the calling thread; {@code out} is told if that does not end. */
  EarlyEnd(PrintWriter out) {
    this.out = out;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Notes how far the search has come. */
  void accept(Progress progress) {
    schedules = progress.schedules();
  }

  /** Called when the search has ended, before its result is told: false if it is told already. */
  boolean mayTell() {
    return telling.compareAndSet(false, true);
  }

  /** Whether the search was asked to end. The interrupt that did so is taken back. */
  boolean wasAsked() {
    if (asked) {
      Thread.interrupted();
    }
    return asked;
  }

  /** What there is to say of a search that was ended early and has found nothing. */
  static String describe(long schedules) {
    return String.format("Stopped after %,d %s, no failure found", schedules, schedules == 1 ? "schedule" : "schedules");
  }

  private void asked() {
    asked = true;
    searcher.interrupt();
    if (!isOverSoon() && mayTell()) {
      out.println(describe(schedules) + ". The last one did not end.");
      out.flush();
    }
  }

  private boolean isOverSoon() {
    try {
      return over.await(GRACE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** All is told. */
  @Override
  public void close() {
    over.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // The hook runs already, and has waited for this.
    }
  }
}

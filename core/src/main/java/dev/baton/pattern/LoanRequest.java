// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.internal.kernel.AsyncRequest;
import dev.baton.internal.kernel.PermitQueue;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A future that waits for a resource of a pool. Foreign code, if any has to run, does so in a task of its own. */
final class LoanRequest<T> extends AsyncRequest<Borrowed<T>> {
  private final Pool<T> pool;
  private final PermitQueue permits;
  private final Workshop<T> workshop;
  private final Loans<T> loans;
  private final Borrowed<T> borrowed;
  private @Nullable Resource granted;
  private @Nullable Throwable error;

  LoanRequest(Pool<T> pool, PermitQueue permits, Workshop<T> workshop, Loans<T> loans) {
    super(permits, 1);
    this.pool = pool;
    this.permits = permits;
    this.workshop = workshop;
    this.loans = loans;
    this.borrowed = loans.newLoanOfFuture();
  }

  @Override
  protected Object primitive() {
    return pool;
  }

  /** Whoever returns a resource must not have to make or check one for somebody else. */
  @Override
  protected boolean prepare() {
    granted = workshop.takeReady();
    if (granted != null) {
      return false;
    }
    try {
      host().start("baton-pool", this::work);
    } catch (Throwable noTask) {
      permits.giveOne();
      error = noTask;
      return false;
    }
    return true;
  }

  private void work() {
    if (isAbandoned()) {
      permits.giveOne();
      return;
    }
    try {
      granted = loans.prepare(borrowed);
    } catch (InterruptedException ofFactory) {
      // Nobody has interrupted whoever asked.
      error = new CreationFailedException(ofFactory);
    } catch (Throwable failure) {
      error = failure;
    }
    handOver();
  }

  @Override
  protected @Nullable Throwable error() {
    return error;
  }

  @Override
  protected Borrowed<T> value() {
    loans.lendToFuture(borrowed, Objects.requireNonNull(granted));
    return borrowed;
  }

  @Override
  protected void giveBack() {
    borrowed.close();
  }

  @Override
  protected Exception failure(int outcome) {
    return Loans.closed();
  }

  @Override
  protected TimeoutException timeout() {
    pool.countTimeout();
    return new TimeoutException("No resource was free in time; nothing is held.");
  }
}

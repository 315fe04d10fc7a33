// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static dev.baton.lease.spi.Terms.NEVER;

import dev.baton.host.Alarms;
import dev.baton.host.Host;
import dev.baton.host.KnownWait;
import dev.baton.host.Ledger;
import dev.baton.host.RequestFuture;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseLog;
import dev.baton.lease.spi.LeaseRequest;
import dev.baton.lease.spi.LeaseStore;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A lease that is waited for as a future. Whoever completes the future first wins: the grant, the deadline, or the user; in the latter two
 * cases the request leaves the line, and what it was granted meanwhile goes back.
 */
final class LeaseFuture extends RequestFuture<Lease> {
  private final LeaseStore store;
  private final Request request;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile Host.@Nullable Timer timer;

  /** What is written down about the wait, if anything is. */
  private volatile @Nullable KnownWait known;

  /** Whether it has to wait. Written before anybody else can decide it, and by whoever began it. */
  private volatile boolean waits = true;

  LeaseFuture(LeaseStore store, HeldLease lease, boolean mayWait) {
    this.store = store;
    this.request = new Request(lease, mayWait);
  }

  /** Asks the store, for at most so long. */
  void begin(long nanos) {
    store.acquire(request);
    if (request.outcome() != LeaseRequest.WAITING) {
      waits = false;
      request.wake();
      return;
    }
    // Before the timer, which may find the wait over at once.
    known = KnownWait.begin(request, request.blocker());
    if (nanos != NEVER && request.mayWait()) {
      Host host = request.host();
      // In a task of its own: the timer must not run the callbacks of whoever is served next.
      timer = Alarms.set(host, host.nanoTime() + nanos, "baton-timeout", this::expire);
    }
    // Decided meanwhile: whoever tells of it may have looked for these before they were there.
    if (request.outcome() != LeaseRequest.WAITING) {
      over(request.outcome());
    }
  }

  private void expire() {
    if (request.claim()) {
      over(LeaseRequest.TIMED_OUT);
      store.withdraw(request, true);
      request.lease().waitEnded(false);
      fail(LeaseSemaphore.timeout(request.lease()));
    }
  }

  /** Nothing is waited for any more, because of {@code outcome}. */
  private void over(int outcome) {
    Host.Timer set = timer;
    if (set != null) {
      set.cancel();
    }
    KnownWait wait = known;
    if (wait != null) {
      wait.end(outcome);
    }
  }

  @Override
  protected Object blocker() {
    return request.blocker();
  }

  @Override
  protected boolean endBy(BooleanSupplier completion) {
    if (request.claim()) {
      over(KnownWait.GIVEN_UP);
      store.withdraw(request, false);
      request.lease().waitEnded(false);
    }
    // Else it was decided before: the delivery and this completion race for the future, and a grant that loses goes back.
    return completion.getAsBoolean();
  }

  private void decided() {
    // The store may tell just when whoever began it finds it decided.
    if (!told.compareAndSet(false, true)) {
      return;
    }
    // As in every wait: the outcome is stored before it is looked for what was begun, and whoever begins looks after that for the outcome.
    VarHandle.fullFence();
    over(request.outcome());
    HeldLease lease = request.lease();
    if (waits) {
      lease.waitEnded(request.outcome() == LeaseRequest.GRANTED);
    }
    switch (request.outcome()) {
      case LeaseRequest.GRANTED -> {
        Ledger.tookAsync(lease.primitive(), lease.permits());
        LeaseLog.acquired(lease);
        if (!deliver(lease)) {
          lease.close();
        }
      }
      case LeaseRequest.REFUSED -> {
        store.withdraw(request, true);
        fail(LeaseSemaphore.timeout(lease));
      }
      default -> fail(LeaseSemaphore.failure(request));
    }
  }

  /** The request; it tells the future how it went. */
  private final class Request extends LeaseRequest {
    Request(HeldLease lease, boolean mayWait) {
      super(lease, mayWait);
    }

    @Override
    public void wake() {
      decided();
    }

    @Override
    public boolean runsCallbacks() {
      return true;
    }
  }
}

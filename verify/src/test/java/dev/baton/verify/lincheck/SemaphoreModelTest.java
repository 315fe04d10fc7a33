// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import dev.baton.sync.ClosedException;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The semaphore as its users see it, waiting through futures: each thread has one at a time. */
class SemaphoreModelTest {

  @Test
  void onePermitBehavesLikeItsSpecification() {
    Search.random(3, 3).sequentialSpecification(OfOne.class).check(OnePermit.class);
  }

  @Test
  void weightedRequestsAndChangesOfTheLimitAddUpAtRest() {
    Search.random(3, 3).sequentialSpecification(Unspecified.class).check(ManyPermits.class);
  }

  @Test
  void aFutureCancelledAsItIsGrantedGivesThePermitsBack() {
    for (String end : List.of("cancel", "completeByHand")) {
      Search.scripted()
          .sequentialSpecification(Unspecified.class)
          .addCustomScenario(
              Search.scenario(
                  List.of(call("start", 0, 3), call("start", 1, 2)),
                  List.of(List.of(call(end, 1)), List.of(call("closePermit", 0)), List.of(call("start", 2, 1))),
                  List.of()))
          .check(ManyPermits.class);
    }
  }

  private static Actor call(String operation, Object... arguments) {
    return Search.call(ManyPermits.class, operation, arguments);
  }

  /** One permit. */
  public static class OfOne extends PermitSpec {
    /** Free. */
    public OfOne() {
      super(1);
    }
  }

  /**
   * Exact results. One permit only: between the decision to grant several and the completion of the future, a cancel hands
   * the permits back in a second step.
   */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static class OnePermit {
    private final Semaphore semaphore = Semaphore.of(1);

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final @Nullable CompletableFuture<Permit>[] futures = new CompletableFuture[8];

    private final boolean[] owned = new boolean[8];

    @Operation
    public String start(@Param(name = "thread") int thread, @Param(gen = IntGen.class, conf = "1:2") int n) {
      if (futures[thread] != null) {
        return "BUSY";
      }
      CompletableFuture<Permit> future = semaphore.acquireAsync(n);
      if (future.isCompletedExceptionally()) {
        return outcome(future);
      }
      futures[thread] = future;
      return "STARTED";
    }

    @Operation
    public String timeOut(@Param(name = "thread") int thread) {
      CompletableFuture<Permit> future = futures[thread];
      futures[thread] = null;
      if (future == null) {
        return "NONE";
      }
      if (future.cancel(false)) {
        return "TIMED_OUT";
      }
      owned[thread] |= !future.isCompletedExceptionally();
      return outcome(future);
    }

    @Operation
    public boolean tryTakeOwn(@Param(name = "thread") int thread, @Param(gen = IntGen.class, conf = "1:2") int n) {
      try {
        boolean taken = semaphore.tryAcquire(n);
        owned[thread] |= taken;
        return taken;
      } catch (ClosedException e) {
        return false;
      }
    }

    @Operation(nonParallelGroup = "returns")
    public boolean releaseOwn(@Param(name = "thread") int thread) {
      if (owned[thread]) {
        owned[thread] = false;
        semaphore.release();
      }
      return true;
    }

    @Operation
    public void close() {
      semaphore.close();
    }

    @Operation
    public long available() {
      return semaphore.available();
    }
  }

  /** No results at all: what counts is how it ends. Held is what futures have delivered and nobody has returned. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  @Param(name = "n", gen = IntGen.class, conf = "1:3")
  public static class ManyPermits {
    private final Semaphore semaphore = Semaphore.of(3);

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final @Nullable CompletableFuture<Permit>[] futures = new CompletableFuture[8];

    @Operation
    public void start(@Param(name = "thread") int thread, @Param(name = "n") int n) {
      if (futures[thread] == null) {
        futures[thread] = semaphore.acquireAsync(n);
      }
    }

    @Operation
    public void cancel(@Param(name = "thread") int thread) {
      CompletableFuture<Permit> future = futures[thread];
      if (future != null && future.cancel(false)) {
        futures[thread] = null;
      }
    }

    @Operation
    public void completeByHand(@Param(name = "thread") int thread) {
      CompletableFuture<Permit> future = futures[thread];
      if (future != null && future.completeExceptionally(new IllegalStateException("enough"))) {
        futures[thread] = null;
      }
    }

    @Operation
    public void closePermit(@Param(name = "thread") int thread) {
      Permit permit = permit(thread);
      if (permit != null) {
        futures[thread] = null;
        permit.close();
      }
    }

    @Operation
    public void splitAndClosePermit(@Param(name = "thread") int thread) {
      Permit permit = permit(thread);
      if (permit != null) {
        futures[thread] = null;
        Permit part = permit.split(1);
        part.close();
        permit.close();
      }
    }

    @Operation
    public void enterAndLeave(@Param(name = "n") int n) {
      if (semaphore.tryAcquire(n)) {
        semaphore.release(n);
      }
    }

    @Operation(nonParallelGroup = "limit")
    public void resize(@Param(name = "n") int n) {
      semaphore.resize(n);
    }

    @Operation
    public void look() {
      Semaphore.Snapshot s = semaphore.snapshot();
      if (s.free() + s.reserved() + s.held() != s.limit() + s.debt()) {
        throw new IllegalStateException("Does not add up: " + s);
      }
    }

    @Validate
    public void atRest() {
      long held = 0;
      int waiting = 0;
      for (int thread = 0; thread < futures.length; thread++) {
        CompletableFuture<Permit> future = futures[thread];
        if (future != null && !future.isDone()) {
          waiting++;
        }
        Permit permit = permit(thread);
        held += permit == null ? 0 : permit.count();
      }
      Semaphore.Snapshot s = semaphore.snapshot();
      boolean firstFits = !s.waiting().isEmpty() && s.waiting().getFirst().permits() <= s.limit() - s.held();
      if (s.held() != held
          || s.waiting().size() != waiting
          || s.free() != semaphore.available()
          || s.free() + s.reserved() + s.held() != s.limit() + s.debt()
          || firstFits) {
        throw new IllegalStateException(held + " held, " + waiting + " waiting, but " + s);
      }
    }

    private @Nullable Permit permit(int thread) {
      CompletableFuture<Permit> future = futures[thread];
      return future == null || !future.isDone() || future.isCompletedExceptionally() ? null : future.join();
    }
  }

  /** Nothing is said about results. */
  public static class Unspecified {
    public void start(int thread, int n) {}

    public void cancel(int thread) {}

    public void completeByHand(int thread) {}

    public void closePermit(int thread) {}

    public void splitAndClosePermit(int thread) {}

    public void enterAndLeave(int n) {}

    public void resize(int n) {}

    public void look() {}
  }

  private static String outcome(CompletableFuture<Permit> future) {
    return switch (future.isCompletedExceptionally() ? future.exceptionNow() : null) {
      case null -> "GRANTED";
      case ClosedException e -> "CLOSED";
      case IllegalArgumentException e -> "REFUSED";
      case Throwable t -> t.toString();
    };
  }
}

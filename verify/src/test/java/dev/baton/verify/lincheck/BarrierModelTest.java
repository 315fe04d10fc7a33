// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.sync.Barrier;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Arrivals, some of them given up, and who leads. */
class BarrierModelTest {

  @Test
  void arrivalsAndWithdrawalsBehaveLikeTheirSpecification() {
    Search.randomBriefly(3, 2).sequentialSpecification(Spec.class).check(Arrivals.class);
  }

  @Test
  void aWithdrawnArrivalDoesNotCount() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(
            scenario(
                List.of(call("arrive", 1)),
                List.of(List.of(call("withdraw", 1)), List.of(call("arrive", 2))),
                List.of(call("arrive", 3), call("generation"))))
        .check(Arrivals.class);
  }

  @Test
  void anInterruptOrATimeOutMeansWithdrawnWhateverItMeets() {
    for (String wait : List.of("meetUnlessInterrupted", "meetUnlessTimedOut")) {
      Search.scriptedBriefly()
          .sequentialSpecification(Unspecified.class)
          .addCustomScenario(
              scenario(List.of(Search.call(Meetings.class, wait)), List.of(Search.call(Meetings.class, "arrive"))))
          .addCustomScenario(
              scenario(
                  List.of(Search.call(Meetings.class, wait)),
                  List.of(Search.call(Meetings.class, wait)),
                  List.of(Search.call(Meetings.class, "arrive"))))
          .check(Meetings.class);
    }
  }

  private static Actor call(String operation, Object... arguments) {
    return Search.call(Arrivals.class, operation, arguments);
  }

  /** For two. Each thread arrives by one future at a time; whether a cancel came in time only the others can tell. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static class Arrivals {
    private final Barrier barrier = Barrier.of(2);

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final @Nullable CompletableFuture<Boolean>[] futures = new CompletableFuture[8];

    @Operation
    public String arrive(@Param(name = "thread") int thread) {
      if (futures[thread] != null) {
        return "BUSY";
      }
      CompletableFuture<Boolean> future = barrier.awaitAsync();
      futures[thread] = future;
      // Once it waits, the next may have come already: only the leader knows for sure.
      return future.isDone() && future.join() ? "LEADER" : "ARRIVED";
    }

    @Operation
    public void withdraw(@Param(name = "thread") int thread) {
      CompletableFuture<Boolean> future = futures[thread];
      futures[thread] = null;
      if (future != null) {
        future.cancel(false);
      }
    }

    @Operation
    public long generation() {
      return barrier.generation();
    }
  }

  /** The shortest form we know. */
  public static class Spec {
    private final Set<Integer> waiting = new HashSet<>();
    private final Set<Integer> busy = new HashSet<>();
    private long generation;

    public String arrive(int thread) {
      if (!busy.add(thread)) {
        return "BUSY";
      }
      if (waiting.isEmpty()) {
        waiting.add(thread);
        return "ARRIVED";
      }
      waiting.clear();
      generation++;
      return "LEADER";
    }

    public void withdraw(int thread) {
      busy.remove(thread);
      waiting.remove(thread);
    }

    public long generation() {
      return generation;
    }
  }

  /** Blocking arrivals that are given up where they would sleep, beside one that is not. What counts is how it adds up. */
  public static class Meetings {
    private final Barrier barrier = Barrier.of(2);
    private final AtomicInteger met = new AtomicInteger();
    private final AtomicInteger leaders = new AtomicInteger();

    @Operation
    public void meetUnlessInterrupted() {
      Ends.byInterrupt(() -> met(barrier.await()));
    }

    @Operation
    public void meetUnlessTimedOut() {
      Ends.byTimeOut(
          () -> {
            try {
              met(barrier.await(Duration.ofNanos(10)));
            } catch (TimeoutException withdrawn) {
              // Does not count.
            }
          });
    }

    @Operation
    public void arrive() {
      barrier.awaitAsync().thenAccept(this::met);
    }

    private void met(boolean leader) {
      met.incrementAndGet();
      if (leader) {
        leaders.incrementAndGet();
      }
    }

    @Validate
    public void addsUp() {
      if (met.get() != 2 * barrier.generation() || leaders.get() != barrier.generation()) {
        throw new IllegalStateException(met + " met, " + leaders + " leaders, but " + barrier);
      }
    }
  }

  /** Nothing is said about results. */
  public static class Unspecified {
    public void meetUnlessInterrupted() {}

    public void meetUnlessTimedOut() {}

    public void arrive() {}
  }
}

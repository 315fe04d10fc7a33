// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A pool of two: each thread borrows at most one, gives it back, takes it out or destroys it. */
class PoolModelTest {

  @Test
  void behavesLikeItsSpecification() {
    Search.random(3, 3).sequentialSpecification(Spec.class).check(PoolOfTwo.class);
  }

  @Test
  void aReturnThatMeetsTheEndIsDestroyed() {
    Search.scripted()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(
            scenario(
                List.of(pool("borrow", 0), pool("borrow", 1)),
                List.of(List.of(pool("giveBack", 0)), List.of(pool("close")), List.of(pool("borrow", 2))),
                List.of(pool("giveBack", 1), pool("borrowed"))))
        .check(PoolOfTwo.class);
  }

  @Test
  void whoWaitsIsServedByEveryWayOutAndByNobodyTwice() {
    for (String out : List.of("giveBack", "hijack", "evict")) {
      Search.scripted()
          .sequentialSpecification(Unspecified.class)
          .addCustomScenario(
              scenario(
                  List.of(waiting("take")),
                  List.of(List.of(waiting(out)), List.of(waiting("waitAndGiveBack")), List.of(waiting("giveUp"))),
                  List.of()))
          .check(Waiting.class);
    }
  }

  private static Actor pool(String operation, Object... arguments) {
    return Search.call(PoolOfTwo.class, operation, arguments);
  }

  private static Actor waiting(String operation, Object... arguments) {
    return Search.call(Waiting.class, operation, arguments);
  }

  /** Without waiting, exactly. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static class PoolOfTwo {
    private final Pool<Object> pool = Pool.of(2, Object::new);

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final @Nullable Borrowed<Object>[] mine = new Borrowed[8];

    @Operation
    public String borrow(@Param(name = "thread") int thread) {
      if (mine[thread] != null) {
        return "BUSY";
      }
      try {
        Optional<Borrowed<Object>> borrowed = pool.tryAcquire();
        mine[thread] = borrowed.orElse(null);
        return borrowed.isPresent() ? "BORROWED" : "NONE";
      } catch (IllegalStateException closed) {
        return "CLOSED";
      }
    }

    @Operation
    public boolean giveBack(@Param(name = "thread") int thread) {
      Borrowed<Object> borrowed = taken(thread);
      if (borrowed != null) {
        pool.release(borrowed);
      }
      return borrowed != null;
    }

    @Operation
    public boolean hijack(@Param(name = "thread") int thread) {
      Borrowed<Object> borrowed = taken(thread);
      if (borrowed != null) {
        borrowed.hijack();
      }
      return borrowed != null;
    }

    /** Not beside two who borrow: one of them may take a slot that the other misses, and then find the pool closed. */
    public void close() {
      pool.close();
    }

    /** Only at rest: a pool counts what is just being made or destroyed, and the specification knows no such meanwhile. */
    public int borrowed() {
      Pool.Stats stats = pool.stats();
      return stats.borrowed() + stats.inTransit();
    }

    private @Nullable Borrowed<Object> taken(int thread) {
      Borrowed<Object> borrowed = mine[thread];
      mine[thread] = null;
      return borrowed;
    }
  }

  /** The shortest form we know. */
  public static class Spec {
    private final Map<Integer, Boolean> mine = new HashMap<>();
    private boolean closed;

    public String borrow(int thread) {
      if (mine.containsKey(thread)) {
        return "BUSY";
      }
      if (closed) {
        return "CLOSED";
      }
      if (mine.size() == 2) {
        return "NONE";
      }
      mine.put(thread, true);
      return "BORROWED";
    }

    public boolean giveBack(int thread) {
      return mine.remove(thread) != null;
    }

    public boolean hijack(int thread) {
      return mine.remove(thread) != null;
    }

    public void close() {
      closed = true;
    }

    public int borrowed() {
      return mine.size();
    }
  }

  /** One resource, and those who wait for it: what counts is that all come to an end, and what is left then. */
  public static class Waiting {
    private final Pool<Object> pool = Pool.of(1, Object::new);
    private final Deque<Borrowed<Object>> held = new ArrayDeque<>();

    @Operation
    public void take() {
      held.add(pool.acquireUninterruptibly());
    }

    @Operation
    public void giveBack() {
      held.remove().close();
    }

    @Operation
    public void hijack() {
      held.remove().hijack();
    }

    @Operation
    public void evict() {
      held.remove().evict();
    }

    @Operation
    public void waitAndGiveBack() {
      Ends.onlyWhenWoken(() -> pool.acquire().close());
    }

    @Operation
    public void giveUp() {
      Ends.byInterrupt(() -> pool.acquire().close());
    }

    @Validate
    public void atRest() {
      Pool.Stats stats = pool.stats();
      if (stats.waiting() != 0 || stats.borrowed() != held.size() || stats.inTransit() != 0 || stats.live() > 1) {
        throw new IllegalStateException("Not at rest: " + stats);
      }
    }
  }

  /** Nothing is said about results. */
  public static class Unspecified {
    public void take() {}

    public void giveBack() {}

    public void hijack() {}

    public void evict() {}

    public void waitAndGiveBack() {}

    public void giveUp() {}
  }
}

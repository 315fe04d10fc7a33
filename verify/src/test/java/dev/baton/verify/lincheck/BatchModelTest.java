// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.pattern.BatchQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Queues from which several items are got together, waiting through futures that may be given up: each thread has one at a time. */
class BatchModelTest {

  @Test
  void behavesLikeItsSpecification() {
    Search.randomBriefly(3, 2).sequentialSpecification(Spec.class).check(Queue.class);
  }

  @Test
  void aCancelThatMeetsAPutLosesNothingAndTheNextIsServed() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(
            scenario(
                List.of(queue("start", 1, 2), queue("start", 2, 1)),
                List.of(List.of(queue("put", 7)), List.of(queue("end", 1))),
                List.of(queue("end", 2), queue("size"))))
        .addCustomScenario(
            scenario(
                List.of(queue("put", 1), queue("start", 1, 2), queue("start", 2, 1)),
                List.of(List.of(queue("put", 2)), List.of(queue("end", 1)), List.of(queue("tryGet", 1))),
                List.of(queue("end", 2), queue("size"))))
        .check(Queue.class);
  }

  @Test
  void theEndSharesWhatThereIs() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(
            scenario(
                List.of(queue("put", 1), queue("start", 1, 3), queue("start", 2, 1)),
                List.of(List.of(queue("putTwo", 2)), List.of(queue("close")), List.of(queue("end", 1))),
                List.of(queue("end", 2), queue("tryGet", 2))))
        .check(Queue.class);
  }

  private static Actor queue(String operation, Object... arguments) {
    return Search.call(Queue.class, operation, arguments);
  }

  /** The real one. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  @Param(name = "n", gen = IntGen.class, conf = "1:3")
  public static class Queue {
    private final BatchQueue<Integer> queue = new BatchQueue<>();

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final @Nullable CompletableFuture<List<Integer>>[] futures = new CompletableFuture[8];

    @Operation
    public boolean start(@Param(name = "thread") int thread, @Param(name = "n") int n) {
      if (futures[thread] != null) {
        return false;
      }
      futures[thread] = queue.getManyAsync(n);
      return true;
    }

    @Operation
    public String end(@Param(name = "thread") int thread) {
      CompletableFuture<List<Integer>> future = futures[thread];
      futures[thread] = null;
      if (future == null) {
        return "NONE";
      }
      return future.cancel(false) ? "GAVE_UP" : future.join().toString();
    }

    @Operation
    public boolean put(@Param(name = "value") int value) {
      return queue.tryPut(value);
    }

    @Operation
    public boolean putTwo(@Param(name = "value") int value) {
      try {
        queue.putAll(List.of(value, value + 10));
        return true;
      } catch (IllegalStateException closed) {
        return false;
      }
    }

    @Operation
    public String tryGet(@Param(name = "n") int n) {
      return queue.tryGetMany(n).map(List::toString).orElse("NOT_YET");
    }

    @Operation
    public int size() {
      return queue.size();
    }

    @Operation
    public void close() {
      queue.close();
    }
  }

  /** The shortest form we know. */
  public static class Spec {
    private final List<Integer> items = new ArrayList<>();
    private final Deque<Integer> line = new ArrayDeque<>();
    private final Map<Integer, Integer> wanted = new HashMap<>();

    /** What became of whoever has started. */
    private final Map<Integer, String> results = new HashMap<>();

    private boolean closed;

    public boolean start(int thread, int n) {
      if (results.containsKey(thread)) {
        return false;
      }
      results.put(thread, "GAVE_UP");
      wanted.put(thread, n);
      line.add(thread);
      serve();
      return true;
    }

    public String end(int thread) {
      line.remove(thread);
      serve();
      String result = results.remove(thread);
      return result == null ? "NONE" : result;
    }

    public boolean put(int value) {
      if (!closed) {
        items.add(value);
        serve();
      }
      return !closed;
    }

    public boolean putTwo(int value) {
      if (!closed) {
        items.add(value);
        items.add(value + 10);
        serve();
      }
      return !closed;
    }

    public String tryGet(int n) {
      return line.isEmpty() && (closed || items.size() >= n) ? take(n) : "NOT_YET";
    }

    public int size() {
      return items.size();
    }

    public void close() {
      closed = true;
      serve();
    }

    private void serve() {
      while (!line.isEmpty()) {
        int n = Objects.requireNonNull(wanted.get(line.peek()));
        if (!closed && items.size() < n) {
          return;
        }
        results.put(line.poll(), take(n));
      }
    }

    private String take(int n) {
      List<Integer> first = items.subList(0, Math.min(n, items.size()));
      String taken = first.toString();
      first.clear();
      return taken;
    }
  }
}

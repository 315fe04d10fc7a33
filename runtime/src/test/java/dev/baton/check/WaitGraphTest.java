// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.observe.WaitGraph;
import dev.baton.scope.Scope;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.OnceCell;
import dev.baton.sync.RwLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who holds what, and who waits for whom in a ring, is true. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitGraphTest {

  private static WaitGraph deadlock(Program program) {
    Report report = Check.that(program).seeds(300).search();
    assertThat(report.passed()).isFalse();
    Failure failure = report.failure().orElseThrow();
    assertThat(failure.kind()).as(failure.toString()).isEqualTo(Kind.DEADLOCK);
    return failure.graph();
  }

  private static List<String> holders(WaitGraph graph, String resource) {
    return graph.holds().stream()
        .filter(hold -> hold.resource().name().equals(resource))
        .map(hold -> hold.task().name().replaceAll(" \\(.*", ""))
        .toList();
  }

  @Test
  void cellsWhoseInitializersWaitForEachOtherAreACycle() {
    WaitGraph graph =
        deadlock(
            () -> {
              OnceCell<String> one = new OnceCell<>();
              OnceCell<String> two = new OnceCell<>();
              Scope.run(
                  scope -> {
                    scope.fork(() -> one.getOrInit(() -> two.getOrInit(() -> "two")));
                    scope.fork(() -> two.getOrInit(() -> one.getOrInit(() -> "one")));
                    scope.join();
                  });
            });
    assertThat(graph.cycles()).hasSize(1);
    assertThat(graph.cycles().getFirst()).hasSize(2);
  }

  @Test
  void whoeverUpgradesDoesNotWaitForItself() {
    WaitGraph graph =
        deadlock(
            () -> {
              RwLock lock = new RwLock();
              Mutex mutex = new Mutex();
              Scope.run(
                  scope -> {
                    scope.fork(
                        () ->
                            mutex.withLock(
                                () -> {
                                  try (var guard = lock.upgradable()) {
                                    guard.upgrade();
                                  }
                                }));
                    scope.fork(() -> lock.readLock().withLock(() -> mutex.withLock(() -> "read")));
                    scope.join();
                  });
            });
    assertThat(graph.cycles()).hasSize(1);
    assertThat(holders(graph, "RwLock 1")).containsExactly("task 2");
  }

  @Test
  void aPlaceUnderALimitIsHeldByTheTaskThatRuns() {
    WaitGraph graph =
        deadlock(
            () ->
                Scope.run(
                    scope -> {
                      scope.limit(1);
                      Event never = new Event();
                      scope.fork(() -> never.await());
                      scope.fork(() -> never.set());
                      scope.join();
                    }));
    assertThat(graph.cycles()).isEmpty();
    assertThat(holders(graph, "Semaphore 1")).containsExactly("task 1");
  }

  @Test
  void aGraphOfManyIsShown() {
    WaitGraph.Resource resource = new WaitGraph.Resource(0, "Event 1", "", null);
    List<WaitGraph.Wait> waits = new ArrayList<>();
    List<WaitGraph.Hold> holds = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      WaitGraph.Node task = new WaitGraph.Node(i, "task " + i);
      waits.add(new WaitGraph.Wait(task, resource, 0, Duration.ZERO, List.of()));
      WaitGraph.Resource own = new WaitGraph.Resource(i + 1, "Task " + i, "", null);
      holds.add(new WaitGraph.Hold(task, own, WaitGraph.Relation.ENDS, 0, List.of()));
    }
    assertThat(new WaitGraph(waits, holds).toString().lines()).hasSize(100_001);
  }
}

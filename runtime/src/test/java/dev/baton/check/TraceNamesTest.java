// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Channel;
import dev.baton.pattern.BoundedExecutor;
import dev.baton.pattern.Parallel;
import dev.baton.runtime.Step;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Promise;
import dev.baton.sync.RwLock;
import dev.baton.sync.UpgradableGuard;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A schedule speaks of what is in the documentation, and not of the classes that implement it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TraceNamesTest {
  /** What {@code program} did until it threw, step by step, on what, and through which method. */
  private static List<String> traceOf(Program program) {
    Report report =
        Check.that(
                () -> {
                  program.run();
                  throw new Exception("the end");
                })
            .seeds(1)
            .search();
    List<Step> steps = report.failure().orElseThrow().steps();
    return steps.stream().filter(step -> step.task().equals("main")).map(step -> step.primitive() + " " + step.operation()).toList();
  }

  @Test
  void guardsAreGuards() {
    assertThat(
            traceOf(
                () -> {
                  Mutex mutex = new Mutex();
                  try (Guard guard = mutex.guard()) {
                    assertThat(guard).isNotNull();
                  }
                  RwLock rw = new RwLock();
                  try (Guard guard = rw.readLock().guard()) {
                    assertThat(guard).isNotNull();
                  }
                  try (UpgradableGuard guard = rw.upgradable()) {
                    guard.upgrade();
                  }
                }))
        .containsExactly(
            "Mutex 1 Mutex.guard",
            "Mutex 1 Guard.close",
            "RwLock 1 ReadLock.guard",
            "RwLock 1 Guard.close",
            "RwLock 1 RwLock.upgradable",
            "RwLock 1 UpgradableGuard.upgrade",
            "RwLock 1 Guard.close");
  }

  @Test
  void whatTheJdkHasANameForHasThatName() {
    assertThat(
            traceOf(
                () -> {
                  Mutex mutex = new Mutex();
                  Condition condition = mutex.newCondition();
                  mutex.lock();
                  condition.signal();
                  mutex.unlock();
                  Channel<Integer> channel = Channel.buffered(1);
                  channel.close();
                  assertThat(channel.iterator().hasNext()).isFalse();
                  try (BoundedExecutor executor = BoundedExecutor.limit(1).build()) {
                    assertThat(executor.submit(() -> 1).get()).isEqualTo(1);
                  }
                }))
        .contains("Mutex 1 Condition.signal", "Channel 1 Iterator.hasNext", "Future 1 Future.get");
  }

  @Test
  void whatIsWaitedForIsATaskOrAPromise() {
    assertThat(
            traceOf(
                () -> {
                  Promise<Integer> promise = new Promise<>();
                  promise.complete(1);
                  promise.future().await();
                  Scope.run(
                      scope -> {
                        Task<Integer> task = scope.fork(() -> 2);
                        task.await();
                        scope.join();
                        task.result();
                      });
                  Parallel.forEach(List.of(3), 1, item -> {});
                }))
        .contains("Promise 1 Waitable.await", "Task 1 Waitable.await", "Task 1 Task.result", "Parallel 1 Parallel.forEach");
  }
}

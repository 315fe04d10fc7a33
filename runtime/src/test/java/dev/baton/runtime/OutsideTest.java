// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.scope.Scope;
import dev.baton.sync.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that wait for something that is not Baton's. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutsideTest {
  private final BlockingQueue<Stall> stalls = new LinkedBlockingQueue<>();

  private Cooperative on(Engine engine) {
    return Cooperative.create().engine(engine).stallAfter(Duration.ofMillis(100)).onStall(stalls::add);
  }

  @Test
  void portableNamesTheTaskThatKeepsTheTurn() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    CompletableFuture<Void> run = runAsync(on(Engine.PORTABLE), latch::await);
    Stall stall = stalls.poll(20, TimeUnit.SECONDS);
    assertThat(stall).isNotNull();
    assertThat(stall.task()).isEqualTo("main");
    assertThat(stall.reason()).isEqualTo("waits outside of Baton while it has the turn");
    assertThat(stall.stack()).anySatisfy(frame -> assertThat(frame.getClassName()).isEqualTo(CountDownLatch.class.getName()));
    assertThat(stall.toString()).contains("CountDownLatch.await").contains("nothing has happened for");
    latch.countDown();
    run.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aTaskThatComputesForEverIsNamedToo() throws Exception {
    boolean[] stop = new boolean[1];
    CompletableFuture<Void> run =
        runAsync(
            on(Engine.STEPPED),
            () -> {
              while (!isSet(stop)) {
                Thread.onSpinWait();
              }
            });
    Stall stall = stalls.poll(20, TimeUnit.SECONDS);
    assertThat(stall).isNotNull();
    assertThat(stall.isComputing()).isTrue();
    synchronized (stop) {
      stop[0] = true;
    }
    run.get(20, TimeUnit.SECONDS);
  }

  private static boolean isSet(boolean[] flag) {
    synchronized (flag) {
      return flag[0];
    }
  }

  @Test
  void steppedLetsOthersRunWhileOneWaitsForAForeignLock() throws Exception {
    List<String> order = new ArrayList<>();
    on(Engine.STEPPED)
        .run(
            () ->
                Scope.run(
                    scope -> {
                      ReentrantLock foreign = new ReentrantLock();
                      Event locked = new Event();
                      scope.fork(
                          () -> {
                            foreign.lock();
                            locked.set();
                            Cooperative.yieldNow();
                            Cooperative.yieldNow();
                            order.add("first unlocks");
                            foreign.unlock();
                            return null;
                          });
                      scope.fork(
                          () -> {
                            locked.await();
                            order.add("second waits");
                            foreign.lock();
                            order.add("second has it");
                            foreign.unlock();
                            return null;
                          });
                      scope.join();
                    }));
    assertThat(order).containsExactly("second waits", "first unlocks", "second has it");
    assertThat(stalls).isEmpty();
  }

  @Test
  void steppedStepsForeignQueuesAndFutures() throws Exception {
    List<String> order = new ArrayList<>();
    on(Engine.STEPPED)
        .run(
            () ->
                Scope.run(
                    scope -> {
                      ArrayBlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
                      CompletableFuture<String> future = new CompletableFuture<>();
                      scope.fork(() -> { order.add("took " + queue.take()); future.complete("done"); return null; });
                      scope.fork(() -> { order.add("future " + future.get()); return null; });
                      scope.fork(() -> { queue.put("apple"); order.add("put"); return null; });
                      scope.join();
                    }));
    assertThat(order).containsExactly("put", "took apple", "future done");
  }

  @Test
  void steppedStepsMonitorsAndSleeps() throws Exception {
    List<String> order = new ArrayList<>();
    Object monitor = new Object();
    on(Engine.STEPPED)
        .run(
            () ->
                Scope.run(
                    scope -> {
                      Event inside = new Event();
                      scope.fork(
                          () -> {
                            synchronized (monitor) {
                              inside.set();
                              Cooperative.yieldNow();
                              // Not to let time pass: it is a foreign wait like any other.
                              Thread.sleep(1);
                              order.add("first leaves");
                            }
                            return null;
                          });
                      scope.fork(
                          () -> {
                            inside.await();
                            synchronized (monitor) {
                              order.add("second enters");
                            }
                            return null;
                          });
                      scope.join();
                    }));
    assertThat(order).containsExactly("first leaves", "second enters");
  }

  @Test
  void steppedNamesThoseThatNobodyWakes() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    CompletableFuture<Void> run = runAsync(on(Engine.STEPPED), latch::await);
    Stall stall = stalls.poll(20, TimeUnit.SECONDS);
    assertThat(stall).isNotNull();
    assertThat(stall.reason()).isEqualTo("waits outside of Baton");
    latch.countDown();
    run.get(20, TimeUnit.SECONDS);
  }

  private static final Event INITIALIZE = new Event();

  private static final class Slow {
    static final int VALUE = initialize();

    private static int initialize() {
      INITIALIZE.awaitUninterruptibly();
      return 42;
    }
  }

  @Test
  void steppedNamesThoseThatCannotBePutAside() throws Exception {
    CompletableFuture<Void> run =
        runAsync(
            on(Engine.STEPPED),
            () ->
                Scope.run(
                    scope -> {
                      scope.fork(() -> assertThat(Slow.VALUE).isEqualTo(42));
                      scope.fork(() -> Cooperative.yieldNow());
                      scope.join();
                    }));
    Stall stall = stalls.poll(20, TimeUnit.SECONDS);
    assertThat(stall).isNotNull();
    assertThat(stall.task()).isEqualTo("task 1");
    assertThat(stall.reason()).isEqualTo(Stall.PINNED);
    run.cancel(true);
  }

  @Test
  void aWaitForSomethingMadeOutsideIsAStallAndNoDeadlock() throws Exception {
    Event outside = new Event();
    for (Engine engine : Engine.values()) {
      Event again = engine == Engine.PORTABLE ? outside : new Event();
      CompletableFuture<Void> run = runAsync(on(engine), again::await);
      Stall stall = stalls.poll(20, TimeUnit.SECONDS);
      assertThat(stall).isNotNull();
      assertThat(stall.reason()).isEqualTo("waits for Event 1, which somebody outside of this run has to serve");
      again.set();
      run.get(20, TimeUnit.SECONDS);
      stalls.clear();
    }
  }

  static CompletableFuture<Void> runAsync(Cooperative world, Cooperative.VoidProgram program) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                world.run(program);
                done.complete(null);
              } catch (Throwable failure) {
                done.completeExceptionally(failure);
              }
            });
    return done;
  }
}

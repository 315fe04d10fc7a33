// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import dev.baton.verify.Effort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random trees of scopes whose tasks fail, are cancelled, run out of time and are interrupted. */
class ScopeStressTest {
  private static final int DEPTH = 3;
  private static final int MOST_FORKS = 5;
  private static final int LEAST_TASKS = 1_000;

  private final Semaphore permits = Semaphore.of(2);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger forks = new AtomicInteger();
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();

  @Test
  void nothingOutlivesAScopeAndNoInterruptLeaksFromIt() throws Exception {
    runRounds(false);
  }

  @Test
  void nothingOutlivesAScopeThatIsInterruptedFromOutside() throws Exception {
    runRounds(true);
  }

  /** On a busy machine interrupts come before most forks, so rounds go on until enough tasks ran. */
  private void runRounds(boolean interrupt) throws Exception {
    int rounds = Effort.of(600, 30_000);
    for (int round = 0; round < rounds || forks.get() < LEAST_TASKS; round++) {
      if (round == 20 * rounds) {
        throw new AssertionError("Only " + forks + " tasks ran in " + round + " rounds: nothing was tested");
      }
      run(round, interrupt);
    }
  }

  private void run(int seed, boolean interrupt) throws Exception {
    AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
    Thread root =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    tree(new SplittableRandom(seed), DEPTH);
                  } catch (AssertionError e) {
                    wrong.set(e);
                  } catch (Throwable expected) {
                    // what the tree ended with
                  }
                  wrong.compareAndSet(null, leftBehind(interrupt));
                });
    if (interrupt) {
      SplittableRandom random = new SplittableRandom(~seed);
      for (int i = random.nextInt(3); i >= 0; i--) {
        // After a while that is counted in work done, not in time.
        int goal = forks.get() + random.nextInt(6);
        while (forks.get() < goal && root.isAlive()) {
          Thread.onSpinWait();
        }
        root.interrupt();
      }
    }
    if (!root.join(Duration.ofSeconds(30))) {
      throw new AssertionError("Round " + seed + " hangs: " + List.of(root.getStackTrace()));
    }
    if (wrong.get() != null) {
      throw new AssertionError("Round " + seed, wrong.get());
    }
    threads.clear();
  }

  private @Nullable Throwable leftBehind(boolean interrupted) {
    if (running.get() != 0) {
      return new AssertionError(running + " tasks still run");
    }
    if (threads.stream().anyMatch(Thread::isAlive)) {
      return new AssertionError("A thread is alive");
    }
    if (permits.available() != 2 || permits.waiting() != 0) {
      return new AssertionError("Not as before: " + permits.snapshot());
    }
    if (!interrupted && Thread.currentThread().isInterrupted()) {
      return new AssertionError("An interrupt leaked");
    }
    return null;
  }

  private Object tree(SplittableRandom random, int depth) throws Exception {
    return random.nextBoolean() ? Scope.call(scope -> body(scope, random, depth)) : tryTree(random, depth);
  }

  private Object tryTree(SplittableRandom random, int depth) throws Exception {
    try (Scope scope = Scope.open()) {
      return body(scope, random, depth);
    }
  }

  private Object body(Scope scope, SplittableRandom random, int depth) throws Exception {
    if (random.nextInt(3) == 0) {
      scope.limit(1 + random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      scope.deadline(Duration.ofNanos(1 + random.nextInt(800_000)));
    }
    if (random.nextInt(4) == 0) {
      scope.collectAll();
    }
    List<Task<Object>> tasks = new ArrayList<>();
    for (int i = random.nextInt(MOST_FORKS); i >= 0; i--) {
      SplittableRandom own = random.split();
      if (random.nextInt(4) == 0) {
        scope.tryFork(() -> counted(scope, own, depth)).ifPresent(tasks::add);
      } else {
        tasks.add(scope.fork(() -> counted(scope, own, depth)));
      }
    }
    switch (random.nextInt(6)) {
      case 0 -> throw new IOException("the body");
      case 1 -> permits.tryAcquire(3, Duration.ofNanos(random.nextInt(300_000)));
      case 2 -> {
        for (Task<Object> task : tasks) {
          task.cancel();
        }
      }
      case 3 -> {
        for (Task<Object> task : tasks) {
          task.await(Duration.ofMillis(5));
        }
      }
      default -> {
        // straight on
      }
    }
    if (random.nextInt(4) != 0) {
      scope.join();
      for (Task<Object> task : tasks) {
        if (!task.isDone()) {
          throw new AssertionError("Joined, yet " + task);
        }
      }
    }
    return "left";
  }

  private Object counted(Scope scope, SplittableRandom random, int depth) throws Exception {
    threads.add(Thread.currentThread());
    running.incrementAndGet();
    forks.incrementAndGet();
    try {
      return work(scope, random, depth);
    } finally {
      running.decrementAndGet();
    }
  }

  private Object work(Scope scope, SplittableRandom random, int depth) throws Exception {
    switch (random.nextInt(9)) {
      case 0 -> throw new IOException("a task");
      case 1 -> throw new StackOverflowError("a task");
      case 2 -> Time.sleep(Duration.ofNanos(random.nextInt(300_000)));
      case 3 -> {
        try (Permit permit = permits.hold(1 + random.nextInt(2))) {
          Time.sleep(Duration.ofNanos(random.nextInt(100_000)));
          return permit;
        }
      }
      case 4 -> {
        try {
          Time.sleep(Duration.ofNanos(random.nextInt(2_000_000)));
        } catch (InterruptedException swallowed) {
          return "swallowed";
        }
      }
      case 5 -> {
        return scope.tryFork(() -> counted(scope, random.split(), 0));
      }
      case 6 -> {
        return Scope.firstSuccess(() -> counted(scope, random.split(), 0), () -> counted(scope, random.split(), 0));
      }
      default -> {
        if (depth > 0) {
          return tree(random, depth - 1);
        }
      }
    }
    return "done";
  }
}

// SPDX-License-Identifier: Apache-2.0
import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.release;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.yieldNow;

import dev.baton.effect.Program;
import dev.baton.effect.RunResult;
import dev.baton.effect.Runner;
import dev.baton.runtime.Clock;
import dev.baton.scope.Task;
import dev.baton.sync.Semaphore;

// One permit is a mutex, eight are a pool of eight connections. Both are semaphores that tasks of an effect program acquire and
// release; time is virtual, so that thirty calls of a second each are over at once.
//
//   ./baton run examples/SemaphoreEffects.java

static final int CONNECTIONS = 8;

void main() {
  Runner runner = Runner.create().clock(Clock.virtual());

  RunResult<Integer> counted = runner.run(() -> countTo100());
  IO.println("Ten tasks have counted to " + counted.value() + ".");

  var pool = new Pool();
  RunResult<List<String>> answers = runner.run(() -> pool.callAll(30));
  IO.println("%d answers over up to %d connections.".formatted(answers.value().size(), pool.mostOpen));

  if (counted.value() != 100 || pool.mostOpen != CONNECTIONS) {
    throw new IllegalStateException("Counted to " + counted.value() + ", " + pool.mostOpen + " connections.");
  }
}

// The permit comes back however the update ends: it returns, it throws, or its task is cancelled.
static <T> T withMutex(Semaphore mutex, Program<T> update) throws Exception {
  acquire(mutex);
  try {
    return update.run();
  } finally {
    release(mutex);
  }
}

static int countTo100() {
  Semaphore mutex = semaphore(1);
  int[] counter = new int[1];
  List<Task<Integer>> tasks = new ArrayList<>();
  for (int i = 0; i < 10; i++) {
    tasks.add(spawn(() -> {
      for (int n = 0; n < 10; n++) {
        withMutex(mutex, () -> {
          int read = counter[0];
          yieldNow(); // without the mutex, the others would read the same number here
          return counter[0] = read + 1;
        });
      }
      return counter[0];
    }));
  }
  gather(tasks);
  return counter[0];
}

static final class Pool {
  int open;
  int mostOpen;

  List<String> callAll(int calls) {
    Semaphore connections = semaphore(CONNECTIONS);
    List<Task<String>> tasks = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      int call = i;
      tasks.add(spawn(() -> withMutex(connections, () -> answer(call))));
    }
    return gather(tasks); // in the order of the calls
  }

  // One task runs at a time and is interrupted only where it performs an effect, so plain fields will do.
  String answer(int call) {
    mostOpen = Math.max(mostOpen, ++open);
    sleep(Duration.ofSeconds(1)); // the database
    open--;
    return "answer " + call;
  }
}

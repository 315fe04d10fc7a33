// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.observe.WaitGraph.Hold;
import dev.baton.scope.Scope;
import dev.baton.sync.Event;
import dev.baton.sync.Semaphore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has taken what: what is written down is what a simple model says, after many operations on many semaphores. */
class AccountsTest {
  private static final int TASKS = 4;
  private static final int SEMAPHORES = 60;
  private static final int PERMITS = 10;
  private static final int OPERATIONS = 4_000;

  private record Operation(int task, int semaphore, boolean takes, int permits) {}

  private static final class Account {
    final int task;
    long permits;

    Account(int task, long permits) {
      this.task = task;
      this.permits = permits;
    }
  }

  /** By semaphore, oldest first. */
  private static final class Model {
    final List<List<Account>> accounts = new ArrayList<>();
    final int[] held = new int[SEMAPHORES];

    Model() {
      for (int i = 0; i < SEMAPHORES; i++) {
        accounts.add(new ArrayList<>());
      }
    }

    void apply(Operation operation) {
      List<Account> all = accounts.get(operation.semaphore());
      long left = operation.permits();
      held[operation.semaphore()] += operation.takes() ? operation.permits() : -operation.permits();
      if (operation.takes()) {
        for (Account each : all) {
          if (each.task == operation.task()) {
            each.permits += left;
            return;
          }
        }
        all.add(new Account(operation.task(), left));
        return;
      }
      for (Account each : all) {
        if (each.task == operation.task()) {
          left = takeOff(each, left);
        }
      }
      for (Account each : all) {
        left = takeOff(each, left);
      }
      all.removeIf(each -> each.permits == 0);
    }

    private static long takeOff(Account account, long permits) {
      long taken = Math.min(permits, account.permits);
      account.permits -= taken;
      return permits - taken;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void areThoseOfAModel(long seed) {
    Model model = new Model();
    List<Operation> operations = operations(seed, model);
    DeadlockException deadlock =
        catchThrowableOfType(
            DeadlockException.class,
            () -> Cooperative.create().engine(Engine.PORTABLE).run(() -> program(operations, model)));
    Map<String, Long> written = new TreeMap<>();
    for (Hold hold : deadlock.graph().holds()) {
      if (hold.permits() > 0) {
        written.merge(hold.resource().name() + " " + hold.task().name(), hold.permits(), Long::sum);
      }
    }
    Map<String, Long> expected = new TreeMap<>();
    for (int i = 0; i < SEMAPHORES; i++) {
      for (Account account : model.accounts.get(i)) {
        expected.put("Semaphore " + (i + 1) + " task " + (account.task + 1), account.permits);
      }
    }
    assertThat(expected).isNotEmpty();
    assertThat(written).isEqualTo(expected);
  }

  /** Operations none of which has to wait, or is refused; what is given back is mostly the task's own. */
  private static List<Operation> operations(long seed, Model model) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Operation> all = new ArrayList<>();
    while (all.size() < OPERATIONS) {
      int semaphore = random.nextInt(SEMAPHORES);
      int held = model.held[semaphore];
      // Emptied now and then, so that they come and go.
      boolean takes = held == 0 || (held < PERMITS && random.nextInt(3) == 0);
      int most = takes ? PERMITS - held : held;
      Operation operation = new Operation(random.nextInt(TASKS), semaphore, takes, 1 + random.nextInt(most));
      model.apply(operation);
      all.add(operation);
    }
    return all;
  }

  private static void program(List<Operation> operations, Model model) throws Exception {
    List<Semaphore> semaphores = new ArrayList<>();
    for (int i = 0; i < SEMAPHORES; i++) {
      semaphores.add(Semaphore.of(PERMITS));
    }
    Event never = new Event();
    int[] next = new int[1];
    Scope.run(
        scope -> {
          for (int i = 0; i < TASKS; i++) {
            int me = i;
            scope.fork(
                () -> {
                  while (next[0] < operations.size()) {
                    Operation operation = operations.get(next[0]);
                    if (operation.task() == me) {
                      Semaphore semaphore = semaphores.get(operation.semaphore());
                      if (operation.takes()) {
                        semaphore.acquire(operation.permits());
                      } else {
                        semaphore.release(operation.permits());
                      }
                      next[0]++;
                    } else {
                      Cooperative.yieldNow();
                    }
                  }
                  never.await();
                  return null;
                });
          }
          for (int i = 0; i < SEMAPHORES; i++) {
            Semaphore semaphore = semaphores.get(i);
            if (model.held[i] > 0) {
              scope.fork(
                  () -> {
                    while (next[0] < operations.size()) {
                      Cooperative.yieldNow();
                    }
                    semaphore.acquire(PERMITS);
                    return null;
                  });
            }
          }
          scope.join();
        });
  }
}

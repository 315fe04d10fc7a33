// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.check.Check;
import dev.baton.observe.Baton;
import dev.baton.observe.Named;
import dev.baton.observe.Observer;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Observed or not, a simulation goes the same way, and its times are virtual. */
@Timeout(60)
@Isolated // observers are for the whole JVM
class ObservedTest {

  /** All that is told, in order. One task runs at a time, so a plain list will do. */
  private static final class Log implements Observer {
    final List<String> lines = new ArrayList<>();

    @Override
    public void waited(Named thing, Duration time, boolean granted) {
      lines.add("waited " + time + " for " + thing + ": " + granted);
    }

    @Override
    public void held(Named thing, Duration time) {
      lines.add("held " + thing + " for " + time);
    }
  }

  private static List<String> observed(long seed) throws Exception {
    Log log = new Log();
    try (Observer.Registration registration = Baton.observe(log)) {
      assertThat(registration).isNotNull();
      Cooperative.create()
          .policy(Policy.seeded(seed))
          .run(
              () -> {
                Semaphore semaphore = Semaphore.of(1).named("gate");
                Scope.run(
                    scope -> {
                      for (int i = 0; i < 3; i++) {
                        scope.fork(
                            () -> {
                              try (Permit permit = semaphore.hold()) {
                                Time.sleep(Duration.ofHours(permit.count()));
                              }
                              return null;
                            });
                      }
                      scope.join();
                    });
                return null;
              });
    }
    return log.lines;
  }

  @Test
  void timesAreThoseOfTheSimulation() throws Exception {
    assertThat(observed(1))
        .containsExactlyInAnyOrder(
            "held semaphore \"gate\" for PT1H",
            "held semaphore \"gate\" for PT1H",
            "held semaphore \"gate\" for PT1H",
            "waited PT1H for semaphore \"gate\": true",
            "waited PT2H for semaphore \"gate\": true");
  }

  @Test
  void theSameSeedTellsTheSame() throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(observed(seed)).isEqualTo(observed(seed));
    }
  }

  @Test
  void whatIsObservedTakesTheSameSteps() throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      List<String> unobserved = steps(seed);
      Log log = new Log();
      try (Observer.Registration registration = Baton.observe(log)) {
        assertThat(registration).isNotNull();
        assertThat(steps(seed)).isEqualTo(unobserved);
      }
      assertThat(log.lines).isNotEmpty();
    }
  }

  private static List<String> steps(long seed) throws Exception {
    List<String> steps = new ArrayList<>();
    Cooperative.create()
        .policy(Policy.seeded(seed))
        .onStep(step -> steps.add(step.toString()))
        .run(
            () -> {
              innocent();
              return null;
            });
    assertThat(steps).isNotEmpty();
    return steps;
  }

  @Test
  void theCheckerFindsNothingWrongWithBeingObserved() throws Exception {
    Log log = new Log();
    try (Observer.Registration registration = Baton.observe(log)) {
      assertThat(registration).isNotNull();
      Check.that(ObservedTest::innocent).seeds(200).search().orThrow();
    }
    assertThat(log.lines).isNotEmpty();
  }

  private static void innocent() throws Exception {
    Semaphore semaphore = Semaphore.of(1).named("gate");
    Mutex mutex = new Mutex().named("lock");
    try (Scope scope = Scope.open().named("work")) {
      for (int i = 0; i < 3; i++) {
        scope.fork(() -> semaphore.withPermit(() -> mutex.withLock(() -> "done")));
      }
      scope.join();
    }
  }
}

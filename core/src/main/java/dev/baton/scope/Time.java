// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static dev.baton.host.Waiter.INTERRUPTED;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.SwitchPoints;
import dev.baton.host.Waiter;
import dev.baton.internal.kernel.Interrupts;
import dev.baton.internal.kernel.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The time of the world the caller runs in: real on ordinary threads, virtual in a simulation.
 *
 * {@snippet :
 * Instant start = Time.now();
 * Time.sleep(Duration.ofMillis(5));
 * Duration taken = Duration.between(start, Time.now());
 * }
 */
public final class Time {
  private Time() {}

  /**
   * The wall clock.
   *
   * @return the time by the wall clock of the world in which the caller runs; in a simulation it is virtual
   */
  public static Instant now() {
    return Hosts.current().now();
  }

  /**
   * Sleeps so long; not at all if zero or negative, for ever if more than 292 years.
   *
   * @param duration how long; to the nanosecond
   * @throws InterruptedException if the caller is interrupted on entry or while sleeping
   */
  public static void sleep(Duration duration) throws InterruptedException {
    long nanos = Nanos.of(Objects.requireNonNull(duration, "duration"));
    SwitchPoints.reach(Time.class);
    Interrupts.check();
    if (nanos > 0) {
      Sleeper sleeper = new Sleeper(Hosts.current());
      if (sleeper.await(sleeper, true, nanos) == INTERRUPTED) {
        throw new InterruptedException();
      }
    }
  }

  /** Waits for nothing but time. Shown in thread dumps as what the thread waits for. */
  private static final class Sleeper extends Waiter {
    Sleeper(Host host) {
      super(host, host.currentTask());
    }

    @Override
    public String toString() {
      return "Time.sleep";
    }
  }
}

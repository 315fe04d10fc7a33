// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.runtime.Engine;
import java.time.Duration;
import java.util.Optional;

/**
 * How a search went.
 *
 * @param schedules how many schedules were run until it ended
 * @param operations how many operations of Baton's they had, all together: nothing else is searched
 * @param complete whether all schedules within the bound of an exhaustive search were run; others may still fail
 * @param elapsed how long it took
 * @param strategy which schedules were tried
 * @param engine how tasks were switched
 * @param failure what was found, if anything was
 */
public record Report(
    long schedules,
    long operations,
    boolean complete,
    Duration elapsed,
    Strategy strategy,
    Engine engine,
    Optional<Failure> failure) {

  /** {@return whether nothing was found} */
  public boolean passed() {
    return failure.isEmpty();
  }

  /**
   * {@return this report, if nothing was found}
   *
   * @throws CheckFailedError otherwise
   */
  public Report orThrow() {
    if (!passed()) {
      throw new CheckFailedError(this);
    }
    return this;
  }

  @Override
  public String toString() {
    String tried =
        String.format(
            "%,d %s (%s, %s engine) in %.2f s",
            schedules,
            schedules == 1 ? "schedule" : "schedules",
            strategy,
            engine.name().toLowerCase(java.util.Locale.ROOT),
            elapsed.toNanos() / 1e9);
    return failure
        .map(found -> found + "Tried " + tried + ".\n")
        .orElseGet(() -> "Nothing found in " + tried + (schedules > 0 && operations == 0 ? nothingSearched() : complete ? ": " + all() : "") + ".\n");
  }

  /** To find nothing means nothing then. */
  private static String nothingSearched() {
    return ": the program did nothing with Baton, and only what it does with Baton is searched, not the JDK's locks and threads";
  }

  private String all() {
    return strategy instanceof Strategy.Exhaustive(int preemptions)
        ? "these are all with at most " + preemptions + (preemptions == 1 ? " pre-emption" : " pre-emptions")
        : "these are all there are";
  }
}

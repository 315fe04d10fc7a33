// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How to run. What is absent is as each benchmark says.
 *
 * @param params values chosen on the command line, by name
 */
record Settings(
    boolean quick,
    @Nullable Integer rounds,
    @Nullable Integer warmups,
    @Nullable Integer iterations,
    @Nullable TimeValue time,
    Map<String, List<String>> params) {
  private static final TimeValue QUICK_TIME = TimeValue.milliseconds(200);

  int roundsOf(Suite suite) {
    if (rounds != null) {
      return rounds;
    }
    return quick ? 1 : suite.rounds();
  }

  @Nullable Integer effectiveWarmups() {
    return warmups == null && quick ? Integer.valueOf(2) : warmups;
  }

  @Nullable Integer effectiveIterations() {
    return iterations == null && quick ? Integer.valueOf(2) : iterations;
  }

  @Nullable TimeValue effectiveTime() {
    return time == null && quick ? QUICK_TIME : time;
  }
}

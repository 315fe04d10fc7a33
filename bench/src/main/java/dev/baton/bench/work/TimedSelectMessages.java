// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.time.Duration;

/** The same selects with a time-out that is never reached. */
public class TimedSelectMessages extends SelectMessages {
  @Override
  Duration timeout() {
    return Duration.ofMinutes(1);
  }
}

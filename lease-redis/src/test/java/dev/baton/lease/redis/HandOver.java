// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Callable;

/** That a hand-over waits for no poll. */
final class HandOver {
  /** Polls come seconds apart. */
  private static final Duration PROMPT = Duration.ofSeconds(1);

  private static final int ATTEMPTS = 3;

  private HandOver() {}

  /**
   * Runs {@code handOver}, which tells what it took, until it was prompt. A machine that is busy elsewhere holds one of them up; who is woken by a
   * poll only is late each time.
   */
  static void isPrompt(Callable<Duration> handOver) throws Exception {
    Duration took = handOver.call();
    for (int attempt = 1; attempt < ATTEMPTS && took.compareTo(PROMPT) >= 0; attempt++) {
      took = handOver.call();
    }
    assertThat(took).as("no poll was waited for, in the last of %s attempts", ATTEMPTS).isLessThan(PROMPT);
  }
}

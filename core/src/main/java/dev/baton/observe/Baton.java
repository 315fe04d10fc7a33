// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import java.util.Objects;

/** What Baton knows about the running program. */
public final class Baton {
  private static volatile Tracking tracking = Tracking.OFF;

  private Baton() {}

  /** How much is being written down. */
  public static Tracking tracking() {
    return tracking;
  }

  /**
   * Writes down so much from now on, in the whole JVM. What was taken or forked before is not known; turn it on before the
   * program starts its work.
   */
  public static void track(Tracking level) {
    tracking = Objects.requireNonNull(level, "level");
  }
}

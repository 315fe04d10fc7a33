// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Leases and connections are lost by design here: nobody needs to read of it. What is not caught by anybody is printed all the same. */
final class Quiet {
  /** Kept, so that they stay as they are. */
  private static final List<Logger> LOGS =
      List.of(Logger.getLogger("dev.baton.lease"), Logger.getLogger("io.lettuce"), Logger.getLogger("io.netty"));

  private Quiet() {}

  static void please() {
    LOGS.forEach(log -> log.setLevel(Level.OFF));
  }
}

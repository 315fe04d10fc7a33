// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import dev.baton.runtime.internal.SteppedThreads;

/** How the turn goes from one task to the next. Schedules and traces are the same on both. */
public enum Engine {
  /** Tasks are ordinary virtual threads that wake each other. Needs nothing. */
  PORTABLE,

  /**
   * Tasks are virtual threads on a loop of our own: faster, and a task that waits outside of Baton (for a foreign lock, queue or
   * future) gives its turn up meanwhile. Needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
   */
  STEPPED;

  /** The flag of the JVM that the stepped engine needs. */
  public static final String STEPPED_FLAG = "--add-opens=java.base/java.lang=ALL-UNNAMED";

  /** {@return the stepped engine where the JVM lets us, otherwise the portable one} */
  public static Engine best() {
    return STEPPED.isAvailable() ? STEPPED : PORTABLE;
  }

  /** {@return whether this engine can be used in this JVM} */
  public boolean isAvailable() {
    return this == PORTABLE || SteppedThreads.isAvailable();
  }
}

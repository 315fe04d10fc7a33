// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.List;

/** Code that whoever has the turn runs on behalf of nobody: messages, timers, observers, reports. Its operations are no steps. */
final class Aside {
  private final List<Throwable> uncaught;
  private boolean inside;

  /** What such code throws is added to {@code uncaught}. */
  Aside(List<Throwable> uncaught) {
    this.uncaught = uncaught;
  }

  /** Whether whoever has the turn runs such code at present. */
  boolean isInside() {
    return inside;
  }

  void run(Runnable action) {
    boolean before = enter();
    try {
      action.run();
    } catch (Throwable failure) {
      uncaught.add(failure);
    } finally {
      leave(before);
    }
  }

  /** Begins such code; returns what {@link #leave} has to be given when it ends. */
  boolean enter() {
    boolean before = inside;
    inside = true;
    return before;
  }

  void leave(boolean before) {
    inside = before;
  }
}

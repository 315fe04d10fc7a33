// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import java.util.concurrent.CompletableFuture;

/**
 * Runs code so deep in callbacks that a future whose wait it decides is completed in a task of its own. On a host driven by hand
 * that task has not run yet when the code goes on: the future is decided, and not completed.
 */
final class DeepCallbacks {
  /** So many callbacks may be nested; see {@code Callbacks} in the kernel. */
  private static final int MOST = 16;

  private DeepCallbacks() {}

  static void run(Runnable body) {
    nest(MOST, body);
  }

  private static void nest(int depth, Runnable body) {
    Event event = new Event();
    CompletableFuture<Void> ran =
        event
            .awaitAsync()
            .thenRun(
                () -> {
                  if (depth == 0) {
                    body.run();
                  } else {
                    nest(depth - 1, body);
                  }
                });
    event.set();
    ran.join();
  }
}

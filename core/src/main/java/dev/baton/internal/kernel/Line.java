// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import org.jspecify.annotations.Nullable;

/** Where requests stand and wait to be decided. */
public interface Line {

  /**
   * Takes {@code request} out; the next one is considered in the same step. If it has left, runs {@code first}, which is foreign code,
   * after tasks were woken and before callbacks. False: it was decided before.
   */
  boolean cancel(Request request, @Nullable Runnable first);
}

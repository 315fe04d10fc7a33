// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;

/** A {@link Tap} for coroutines. */
public interface SuspendTap {
  /**
   * Ends with an Integer. {@link SuspendGate#suspended} tells of the result whether it is one, or the caller will be resumed with
   * one.
   */
  @Nullable Object receive(Continuation<? super Integer> caller);
}

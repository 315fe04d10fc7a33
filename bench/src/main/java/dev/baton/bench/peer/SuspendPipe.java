// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Pipe} for coroutines. {@link SuspendGate#suspended} tells of a result whether the caller goes on with it, or will be
 * resumed.
 */
public interface SuspendPipe {
  @Nullable Object send(Integer message, Continuation<? super Unit> caller);

  /** Ends with an Integer. */
  @Nullable Object receive(Continuation<? super Integer> caller);
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;

/** A {@link Pipe} for coroutines. */
public interface SuspendPipe extends SuspendTap {
  /** {@link SuspendGate#suspended} tells of the result whether the message is sent, or the caller will be resumed once it is. */
  @Nullable Object send(Integer message, Continuation<? super Unit> caller);
}

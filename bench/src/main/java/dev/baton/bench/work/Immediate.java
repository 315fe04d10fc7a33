// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.SuspendGate;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.EmptyCoroutineContext;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a suspending function that is not expected to suspend. Compiled Kotlin passes its own continuation and
 * compares the result with the suspension marker in the same way.
 */
final class Immediate implements Continuation<Unit> {
  @Override
  public CoroutineContext getContext() {
    return EmptyCoroutineContext.INSTANCE;
  }

  @Override
  public void resumeWith(Object result) {
    throw new IllegalStateException("resumed, but never suspended");
  }

  static void check(@Nullable Object result) {
    if (SuspendGate.suspended(result)) {
      throw new IllegalStateException("suspended without contention");
    }
  }
}

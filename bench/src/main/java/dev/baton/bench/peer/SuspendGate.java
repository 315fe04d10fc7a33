// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import org.jspecify.annotations.Nullable;

/** A {@link Gate} for coroutines: entering either succeeds at once or suspends the caller's continuation. */
public interface SuspendGate {
  /** The result tells through {@link #suspended} whether the caller is inside or will be resumed once it is. */
  @Nullable Object enter(Continuation<? super Unit> caller);

  void leave();

  /** How many could enter now. */
  long free();

  /** Whether this result of a suspending function is the marker for "suspended". */
  @SuppressWarnings("ReferenceEquality") // the marker is one object, compared by identity in compiled Kotlin too
  static boolean suspended(@Nullable Object result) {
    return result == IntrinsicsKt.getCOROUTINE_SUSPENDED();
  }
}

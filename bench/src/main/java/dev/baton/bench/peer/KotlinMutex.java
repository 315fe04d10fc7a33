// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.sync.Mutex;
import kotlinx.coroutines.sync.MutexKt;
import org.jspecify.annotations.Nullable;

record KotlinMutex(Mutex mutex) implements SuspendGate {
  KotlinMutex() {
    this(MutexKt.Mutex(false));
  }

  @Override
  public @Nullable Object enter(Continuation<? super Unit> caller) {
    return mutex.lock(null, caller);
  }

  @Override
  public void leave() {
    mutex.unlock(null);
  }

  @Override
  public long free() {
    return mutex.isLocked() ? 0 : 1;
  }
}

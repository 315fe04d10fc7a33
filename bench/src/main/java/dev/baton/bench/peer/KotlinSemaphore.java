// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.sync.Semaphore;
import kotlinx.coroutines.sync.SemaphoreKt;
import org.jspecify.annotations.Nullable;

record KotlinSemaphore(Semaphore semaphore) implements SuspendGate {
  KotlinSemaphore(int permits) {
    this(SemaphoreKt.Semaphore(permits, 0));
  }

  @Override
  public @Nullable Object enter(Continuation<? super Unit> caller) {
    return semaphore.acquire(caller);
  }

  @Override
  public void leave() {
    semaphore.release();
  }

  @Override
  public long free() {
    return semaphore.getAvailablePermits();
  }
}

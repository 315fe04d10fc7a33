// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static dev.baton.bench.peer.SuspendGate.suspended;

import dev.baton.bench.peer.Peer;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.jvm.internal.ContinuationImpl;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.YieldKt;
import kotlinx.coroutines.sync.Semaphore;
import kotlinx.coroutines.sync.SemaphoreKt;
import org.jspecify.annotations.Nullable;

/** Two coroutines on one thread that pass a turn to and fro: by yielding, or by a semaphore for each side. */
final class CoroutineHopCrowd extends Crowd {
  private final boolean yielding;
  private final Semaphore[] turns = {SemaphoreKt.Semaphore(1, 1), SemaphoreKt.Semaphore(1, 1)};
  private final CoroutineContext oneThread = Dispatchers.getDefault().limitedParallelism(1, null);

  // Both belong to the one thread.
  private int turn;
  private long hops;

  CoroutineHopCrowd(Peer peer) {
    super(2);
    yielding = peer == Peer.KOTLIN_YIELD;
  }

  @Override
  void start() {
    for (int side = 0; side < 2; side++) {
      // What startCoroutine does: dispatch the first step through the context's interceptor.
      new Worker(side).intercepted().resumeWith(Unit.INSTANCE);
    }
  }

  /** Nothing to do: a coroutine without a job cannot be cancelled. */
  @Override
  void interrupt() {}

  @Override
  void check() {
    Expect.equal("turns counted by the one who took them", hops, rounds());
  }

  /** The loop that the Kotlin compiler would make of {@code while (!stopped) { take(); count(); give() }}. */
  private final class Worker extends ContinuationImpl {
    private static final long serialVersionUID = 1;

    private final int side;
    private boolean asked;

    Worker(int side) {
      super(new Completion());
      this.side = side;
      asked = yielding || side == 0;
    }

    @Override
    protected @Nullable Object invokeSuspend(Object result) {
      ResultKt.throwOnFailure(result);
      while (true) {
        if (asked && (!yielding || turn == side)) {
          hops++;
          count(side);
          turn = 1 - side;
          if (!yielding) {
            turns[1 - side].release();
          }
          asked = yielding;
        }
        if (stopped()) {
          return Unit.INSTANCE;
        }
        asked = true;
        Object taken = yielding ? YieldKt.yield(asCaller()) : turns[side].acquire(asCaller());
        if (suspended(taken)) {
          return taken;
        }
      }
    }

    @SuppressWarnings("unchecked") // a continuation only consumes values: one of Object takes Unit as well
    private Continuation<Unit> asCaller() {
      return (Continuation<Unit>) (Continuation<?>) this;
    }
  }

  /** Told when a worker's loop has returned or thrown; its context is where the worker runs. */
  private final class Completion implements Continuation<@Nullable Object> {
    @Override
    public CoroutineContext getContext() {
      return oneThread;
    }

    @Override
    public void resumeWith(Object result) {
      try {
        ResultKt.throwOnFailure(result);
      } catch (Throwable e) {
        failed(e);
      } finally {
        ended();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static dev.baton.bench.peer.SuspendGate.suspended;

import dev.baton.bench.peer.SuspendGate;
import kotlin.ResultKt;
import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlin.coroutines.jvm.internal.ContinuationImpl;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.YieldKt;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Blackhole;

/** A crowd of coroutines on {@code Dispatchers.Default}, Kotlin's pool with one thread per core. */
final class CoroutineCrowd extends GateCrowd {
  private final SuspendGate gate;
  private final long tokens;
  private final Turns turns;

  CoroutineCrowd(SuspendGate gate, int permits, int size, long tokens, Turns turns) {
    super(size, permits);
    this.gate = gate;
    this.tokens = tokens;
    this.turns = turns;
  }

  @Override
  void start() {
    for (int i = 0; i < size; i++) {
      // What startCoroutine does: dispatch the first step through the context's interceptor.
      new Worker(i, new Completion()).intercepted().resumeWith(Unit.INSTANCE);
    }
  }

  /** Nothing to do: a coroutine without a job cannot be cancelled, and Kotlin's gates are fair, so none starves. */
  @Override
  void interrupt() {}

  @Override
  long free() {
    return gate.free();
  }

  private enum Step {
    OUTSIDE,
    ENTERED,
    YIELDED
  }

  /**
   * The loop that the Kotlin compiler would make of
   * {@code while (!stopped) { gate.enter(); section(); gate.leave(); if (…) yield() }}.
   *
   * <p>A suspending function takes its caller as the last argument. It either returns its value, and the caller goes
   * on, or returns the suspension marker; then the caller returns the marker too, and {@code invokeSuspend} is called
   * again, perhaps by another thread and perhaps before the first call has returned, once there is a value. So where
   * to go on must be written down before each call, and nothing may be touched after a call that suspended.
   */
  private final class Worker extends ContinuationImpl {
    private static final long serialVersionUID = 1;

    private final int worker;
    private Step step = Step.OUTSIDE;
    private long round;

    Worker(int worker, Continuation<@Nullable Object> completion) {
      super(completion);
      this.worker = worker;
    }

    @Override
    protected @Nullable Object invokeSuspend(Object result) {
      ResultKt.throwOnFailure(result);
      while (true) {
        switch (step) {
          case OUTSIDE, YIELDED -> {
            if (stopped()) {
              return Unit.INSTANCE;
            }
            step = Step.ENTERED;
            Object entered = gate.enter(asCaller());
            if (suspended(entered)) {
              return entered;
            }
          }
          case ENTERED -> {
            if (tokens != 0) {
              Blackhole.consumeCPU(tokens);
            }
            countInside(worker);
            gate.leave();
            step = Step.OUTSIDE;
            if (turns.over(++round)) {
              step = Step.YIELDED;
              Object yielded = YieldKt.yield(asCaller());
              if (suspended(yielded)) {
                return yielded;
              }
            }
          }
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
      return Dispatchers.getDefault();
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

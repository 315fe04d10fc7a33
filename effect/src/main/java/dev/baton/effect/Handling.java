// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.internal.kernel.Failures;
import dev.baton.runtime.internal.Residence;
import dev.baton.sync.Result;
import org.jspecify.annotations.Nullable;

/** Which handlers are in scope in a task, and what becomes of a program when it leaves them. */
abstract class Handling<T extends @Nullable Object> extends Cancellable<T> {
  /** The handlers in scope. */
  Frame frame;

  /** The handlers it has inherited. */
  private Frame inherited;

  /** The resumable handlers at work. */
  private @Nullable Activation activations;

  Handling(EffectRun run, Frame frame) {
    super(run);
    this.frame = frame;
    this.inherited = frame;
  }

  /** Runs the whole program of the task: in the handlers it has inherited. */
  final <U extends @Nullable Object> Result<U> runHandled(Program<? extends U> body) {
    return leave(attempt(body), inherited, Frame.NONE);
  }

  /** The task has ended, and whoever keeps it need not keep these. */
  final void leaveAll() {
    frame = Frame.NONE;
    inherited = Frame.NONE;
    activations = null;
  }

  /** Runs {@code body} with more handlers in scope. */
  final <U extends @Nullable Object> U handle(Handlers handlers, Program<? extends U> body) throws Throwable {
    handlers.checkFor(run.mayOverlap());
    Frame outer = frame;
    Frame inner = handlers.in(outer);
    frame = inner;
    if (!handlers.resumes()) {
      try {
        return body.run();
      } finally {
        frame = outer;
      }
    }
    Result<U> result = leave(attempt(body), inner, outer);
    frame = outer;
    return valueOf(result);
  }

  /** The program has ended with {@code result}: the resumable handlers from {@code inner} to {@code outer} are told, innermost first. */
  @SuppressWarnings("unchecked") // a handler answers for the type of what it handles
  private <U extends @Nullable Object> Result<U> leave(Result<U> result, Frame inner, Frame outer) {
    Result<@Nullable Object> now = (Result<@Nullable Object>) (Result<?>) result;
    for (Frame left = inner; left != outer; left = left.outer()) {
      if (left.resumes()) {
        Activation activation = forget(left);
        if (activation != null) {
          frame = left.outer();
          now = activation.end(now);
        }
      }
    }
    return (Result<U>) (Result<?>) now;
  }

  /** Runs {@code body}. What ends the run, and not only the body, is thrown. */
  final <U extends @Nullable Object> Result<U> attempt(Program<? extends U> body) {
    try {
      return new Result.Ok<>(body.run());
    } catch (Throwable failure) {
      if (Residence.isEnd(failure)) {
        throw Failures.<RuntimeException>rethrow(failure);
      }
      if (isFatal(failure)) {
        run.stop(failure);
        throw Failures.<RuntimeException>rethrow(failure);
      }
      return new Result.Err<>(failure);
    }
  }

  static boolean isFatal(Throwable failure) {
    return failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
  }

  // ---- resumable handlers ----

  /** Those of {@code scope} that are at work in this task. */
  final Activation activation(Frame scope) {
    for (Activation each = activations; each != null; each = each.next) {
      if (each.frame == scope) {
        return each;
      }
    }
    Activation added = new Activation(scope, activations);
    activations = added;
    return added;
  }

  private @Nullable Activation forget(Frame scope) {
    Activation before = null;
    for (Activation each = activations; each != null; each = each.next) {
      if (each.frame == scope) {
        if (before == null) {
          activations = each.next;
        } else {
          before.next = each.next;
        }
        return each;
      }
      before = each;
    }
    return null;
  }
}

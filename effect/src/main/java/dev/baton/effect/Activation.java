// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import org.jspecify.annotations.Nullable;

/** A scope with resumable handlers, in one task: who waits for the end of the program that is handled there. */
final class Activation {
  final Frame frame;
  @Nullable Activation next;

  /** The handlers that have resumed, the last one first: each waits for the program, or for what the later ones make of it. */
  private @Nullable Clause newest;

  /** What unwinds the program, if something does. */
  private @Nullable Abort abort;

  Activation(Frame frame, @Nullable Activation next) {
    this.frame = frame;
    this.next = next;
  }

  void push(Clause clause) {
    clause.before = newest;
    newest = clause;
  }

  Abort abort(@Nullable Object value) {
    Abort thrown = new Abort(this, value);
    abort = thrown;
    return thrown;
  }

  /** The program has ended with {@code result}. Returns what its handlers make of it. */
  Result<@Nullable Object> end(Result<@Nullable Object> result) {
    Result<@Nullable Object> now = unwound(result);
    for (Clause clause = newest; clause != null; clause = newest) {
      newest = clause.before;
      clause.before = null;
      now = unwound(clause.end(now));
    }
    return now;
  }

  /** An abort has done what it should, even if the program has caught it; not if the program has failed on its way out. */
  private Result<@Nullable Object> unwound(Result<@Nullable Object> result) {
    Abort thrown = abort;
    abort = null;
    if (thrown == null) {
      return result;
    }
    if (result instanceof Result.Err<@Nullable Object> failed) {
      // A second one, from a finally block that performs on the way out, may have taken the place of the first; or been caught.
      return failed.error() instanceof Abort out && out.activation() == this ? new Result.Ok<>(out.value()) : result;
    }
    return new Result.Ok<>(thrown.value());
  }
}

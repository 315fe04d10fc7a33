// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.internal.kernel.Failures;
import dev.baton.sync.Result;
import org.jspecify.annotations.Nullable;

/** Results that are kept, for handlers that decide by how something ended. */
final class Kept {
  private Kept() {}

  /**
   * Runs {@code program} and returns how it ended, without an effect and without giving up the turn. What is no error of the program
   * is thrown: the cancellation of the calling task, an abort by a handler outside, the end of the run.
   */
  static <T extends @Nullable Object> Result<T> result(Program<? extends T> program) {
    EffectTask<?> me = EffectTask.current();
    Frame frame = me.frame;
    Result<T> result = me.attempt(program);
    me.frame = frame;
    if (result instanceof Result.Err<T>(Throwable error) && (error instanceof Abort || me.isOwnCancellation(error))) {
      throw Failures.<RuntimeException>rethrow(error);
    }
    return result;
  }
}

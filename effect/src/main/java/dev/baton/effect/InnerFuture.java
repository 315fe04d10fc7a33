// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/** The read side of a promise that the run keeps itself. */
final class InnerFuture<T extends @Nullable Object> extends Ending<T> {
  InnerFuture(EffectRun run) {
    super(run);
  }

  @Override
  public boolean endsFromOutside() {
    return false;
  }
}

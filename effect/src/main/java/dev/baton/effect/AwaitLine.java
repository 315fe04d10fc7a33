// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Begins outside work: one piece after the other, in the order in which they came, or all at once. Called by any thread. */
final class AwaitLine {
  private final EffectRun run;

  /** What has to wait for the piece that goes on; guarded by this, as is the next. */
  private final ArrayDeque<Piece<?>> waiting = new ArrayDeque<>();

  private @Nullable Piece<?> working;

  AwaitLine(EffectRun run) {
    this.run = run;
  }

  /** Who starts threads for work: in a closed world nobody outside may, so it is done by tasks of the run. */
  Host starter() {
    return run.residence().isClosed() ? run.host() : Hosts.threads();
  }

  /** {@code piece} begins when all that came before have ended. */
  void enqueue(Piece<?> piece) {
    synchronized (this) {
      if (working != null) {
        waiting.add(piece);
        return;
      }
      working = piece;
    }
    piece.begin();
  }

  /** {@code piece} has ended, if it ever began, or is waited for no more: the next one begins. May be called again. */
  void ended(Piece<?> piece) {
    Piece<?> next;
    synchronized (this) {
      if (working != piece) {
        waiting.remove(piece);
        return;
      }
      next = waiting.poll();
      working = next;
    }
    if (next != null) {
      Objects.requireNonNull(next).begin();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.host.Waiter.FOREVER;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers {@link Await}: makes an external promise, lets the work keep it, and waits for it. */
@SuppressWarnings("rawtypes") // the class of an effect says nothing about its type arguments
final class AwaitHandler implements Handler<Await, @Nullable Object> {
  private final boolean overlapping;

  /** Work overlaps, or is done one piece at a time. */
  AwaitHandler(boolean overlapping) {
    this.overlapping = overlapping;
  }

  @Override
  public @Nullable Object handle(Await effect) {
    return await((Await<?>) effect);
  }

  private <T extends @Nullable Object> T await(Await<T> effect) {
    ExternalPromise<T> promise = Effects.perform(new CreateExternalPromise<T>());
    AwaitLine line = EffectTask.current().run.awaits();
    boolean alone = overlapping || effect.work() instanceof Await.Stage<T>;
    Piece<T> piece = new Piece<>(effect.work(), promise, line.starter(), alone ? ended -> {} : line::ended);
    boolean answered = false;
    try {
      if (alone) {
        piece.begin();
      } else {
        line.enqueue(piece);
      }
      T value = Effects.perform(new Wait<T>(promise.future()));
      answered = true;
      return value;
    } finally {
      if (!answered && !promise.isDone() && Objects.requireNonNull(piece).cancel()) {
        // Whoever is told that the task has ended may count on what it has begun.
        Ending<T> end = promise.ending();
        end.await(end, false, FOREVER);
      }
    }
  }
}

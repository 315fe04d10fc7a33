// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Semaphore;
import org.jspecify.annotations.Nullable;

/** A handler in scope: what it does with an effect, and where it stands. */
abstract class Binding {
  /** The scope that it belongs to. */
  final Frame frame;

  Binding(Frame frame) {
    this.frame = frame;
  }

  /** Answers {@code effect}, which {@code me} performs. */
  abstract @Nullable Object answer(EffectTask<?> me, Effect<?> effect) throws Throwable;

  /** A plain function, which sees only the handlers outside of it. */
  static final class Plain extends Binding {
    private final Handler<Effect<?>, ?> handler;

    Plain(Frame frame, Handler<Effect<?>, ?> handler) {
      super(frame);
      this.handler = handler;
    }

    @Override
    @Nullable Object answer(EffectTask<?> me, Effect<?> effect) throws Throwable {
      Frame before = me.frame;
      me.frame = frame.outer();
      try {
        return handler.handle(effect);
      } finally {
        me.frame = before;
      }
    }
  }

  /** One that decides what becomes of the program. */
  static final class Full extends Binding {
    private final ResumableHandler<Effect<?>, @Nullable Object, @Nullable Object> handler;

    Full(Frame frame, ResumableHandler<Effect<?>, @Nullable Object, @Nullable Object> handler) {
      super(frame);
      this.handler = handler;
    }

    @Override
    @Nullable Object answer(EffectTask<?> me, Effect<?> effect) throws Throwable {
      return new Clause(me, me.activation(frame), effect, handler).answer();
    }
  }

  /** Answers a release. What it does on the way there must not be where the task is told of its cancellation: the permit would be lost. */
  static final class OfRelease extends Binding {
    private final Binding handler;

    OfRelease(Binding handler) {
      super(handler.frame);
      this.handler = handler;
    }

    @Override
    @Nullable Object answer(EffectTask<?> me, Effect<?> effect) throws Throwable {
      Object answer;
      me.holdBack();
      try {
        answer = handler.answer(me, effect);
      } finally {
        me.letGo();
      }
      me.deliverPending();
      return answer;
    }
  }

  /** Answers an acquire, or an attempt at one: from where it has the permit until the performer has it, the task is not told of its cancellation. */
  static final class OfAcquire extends Binding {
    private final Binding handler;

    OfAcquire(Binding handler) {
      super(handler.frame);
      this.handler = handler;
    }

    @Override
    @Nullable Object answer(EffectTask<?> me, Effect<?> effect) throws Throwable {
      Semaphore semaphore =
          effect instanceof TryAcquireSemaphore attempt ? attempt.semaphore() : ((AcquireSemaphore) effect).semaphore();
      Cancellable.Acquiring acquiring = new Cancellable.Acquiring(me, semaphore);
      try {
        return handler.answer(me, effect);
      } finally {
        acquiring.end();
      }
    }
  }

  /** One of our own, which sees all that the performer sees, so that programs it is given run in the scope they stand in. */
  static final class BuiltIn extends Binding {
    private final Interpretation<Effect<?>> interpretation;

    BuiltIn(Frame frame, Interpretation<Effect<?>> interpretation) {
      super(frame);
      this.interpretation = interpretation;
    }

    @Override
    @Nullable Object answer(EffectTask<?> me, Effect<?> effect) throws Throwable {
      Object answer = interpretation.apply(me, effect);
      me.letHigherGoFirst();
      return answer;
    }
  }

  /** What one of our own does. */
  @FunctionalInterface
  interface Interpretation<E> {
    @Nullable Object apply(EffectTask<?> me, E effect) throws Throwable;
  }
}

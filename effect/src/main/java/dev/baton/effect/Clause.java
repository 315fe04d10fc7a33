// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.internal.kernel.Failures;
import dev.baton.runtime.internal.CooperativeTask;
import dev.baton.runtime.internal.Inward;
import dev.baton.runtime.internal.Residence;
import dev.baton.sync.Result;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A resumable handler at work on one effect: on a thread of its own, of the same task. The turn goes to and fro between it and the
 * program, and nobody else gets it by that.
 *
 * <pre>
 *   program    perform ──┐            ┌──▶ goes on … ends ──┐            ┌──▶ handle returns
 *   handler              └──▶ handles ┴ resume()            └──▶ returns ┘
 * </pre>
 */
final class Clause implements Resumption<@Nullable Object, @Nullable Object>, Inward, Runnable {
  private final EffectTask<?> task;
  private final Activation activation;
  private final Effect<?> effect;
  private final ResumableHandler<Effect<?>, @Nullable Object, @Nullable Object> handler;
  private final Residence residence;
  private final Frame performer;
  private final CooperativeTask own;

  /** Who has the turn when the handler resumes or ends. */
  private CooperativeTask peer;

  /** The one that has resumed before this one. */
  @Nullable Clause before;

  private boolean used;
  private @Nullable Result<@Nullable Object> answer;
  private @Nullable Result<@Nullable Object> programEnd;
  private @Nullable Result<@Nullable Object> ownEnd;

  Clause(
      EffectTask<?> task,
      Activation activation,
      Effect<?> effect,
      ResumableHandler<Effect<?>, @Nullable Object, @Nullable Object> handler) {
    this.task = task;
    this.activation = activation;
    this.effect = effect;
    this.handler = handler;
    this.residence = task.run.residence();
    this.performer = task.frame;
    this.peer = residence.here();
    this.own = residence.prepare("baton-handler", this, task);
  }

  // ---- on the thread of the program ----

  /** Lets the handler work. Returns, or throws, what it resumes with. */
  @Nullable Object answer() {
    switchTo(() -> answer != null || ownEnd != null);
    Result<@Nullable Object> resumed = answer;
    if (resumed == null && ownEnd instanceof Result.Ok<@Nullable Object> returned) {
      throw activation.abort(returned.value());
    }
    return valueOf(Objects.requireNonNull(resumed == null ? ownEnd : resumed));
  }

  /** Tells the handler, which has resumed, how the program has ended. Returns how it ends itself. */
  Result<@Nullable Object> end(Result<@Nullable Object> result) {
    programEnd = result;
    peer = residence.here();
    switchTo(() -> ownEnd != null);
    return Objects.requireNonNull(ownEnd);
  }

  private void switchTo(java.util.function.BooleanSupplier isBack) {
    CooperativeTask here = task.active;
    Frame frame = task.frame;
    PersistentMap environment = task.environment;
    task.active = own;
    residence.handOver(own, this);
    while (!isBack.getAsBoolean()) {
      sleep();
    }
    task.active = here;
    task.frame = frame;
    task.environment = environment;
  }

  /** The other one works. An interrupt of this thread was meant for the task, and with it this one would not sleep. */
  private void sleep() {
    if (Thread.interrupted()) {
      residence.passInterrupt(task.active);
    }
    residence.sleep(this);
  }

  // ---- on the thread of the handler ----

  @Override
  public void run() {
    task.frame = activation.frame.outer();
    Result<@Nullable Object> end;
    try {
      end = new Result.Ok<>(handler.handle(effect, this));
    } catch (Throwable failure) {
      if (Residence.isEnd(failure)) {
        throw Failures.<RuntimeException>rethrow(failure);
      }
      if (EffectTask.isFatal(failure)) {
        // Whoever catches it, where the effect was performed or around the handler, must not go on.
        task.run.stop(failure);
      }
      end = new Result.Err<>(failure);
    }
    ownEnd = end;
    residence.endInFavourOf(peer);
  }

  @Override
  public @Nullable Object resume(@Nullable Object value) {
    begin();
    return goOn(new Result.Ok<>(value));
  }

  @Override
  public @Nullable Object fail(Throwable error) {
    Objects.requireNonNull(error, "error");
    begin();
    return goOn(new Result.Err<>(error));
  }

  @Override
  public @Nullable Object pass() {
    begin();
    Frame outside = task.frame;
    Result<@Nullable Object> passed;
    // Looked for outside, but answered in the place of the performer: one of our own runs programs in the scope they stand in.
    task.frame = performer;
    try {
      passed = new Result.Ok<>(task.dispatch(effect, outside));
    } catch (Throwable failure) {
      if (Residence.isEnd(failure) || failure instanceof Abort) {
        throw Failures.<RuntimeException>rethrow(failure);
      }
      passed = new Result.Err<>(failure);
    } finally {
      task.frame = outside;
    }
    return goOn(passed);
  }

  private void begin() {
    if (ownEnd != null) {
      throw new IllegalStateException("The handler of " + Texts.of(effect) + " has returned: its resumption is of no use any more.");
    }
    if (used) {
      throw new IllegalStateException("The resumption of " + Texts.of(effect) + " was used before: a program can be resumed once.");
    }
    if (EffectTask.currentOrNull() != task || residence.here() != own) {
      throw new IllegalStateException("A resumption is used by the handler that was given it, and by nobody else.");
    }
    used = true;
  }

  private @Nullable Object goOn(Result<@Nullable Object> result) {
    answer = result;
    activation.push(this);
    Frame frame = task.frame;
    PersistentMap environment = task.environment;
    residence.handOver(peer, this);
    while (programEnd == null) {
      sleep();
    }
    task.active = own;
    task.frame = frame;
    task.environment = environment;
    return valueOf(Objects.requireNonNull(programEnd));
  }

  private static @Nullable Object valueOf(Result<@Nullable Object> result) {
    return switch (result) {
      case Result.Ok<@Nullable Object> ok -> ok.value();
      case Result.Err<@Nullable Object> failed -> throw Failures.<RuntimeException>rethrow(failed.error());
    };
  }

  @Override
  public String toString() {
    return "handler of " + Texts.of(effect);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static dev.baton.host.Waiter.GRANTED;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.Completion;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The end of a task or a promise, or an event. */
final class CompletionClause<R extends @Nullable Object> extends WaitingClause<R> {
  private final Object primitive;
  private final Completion completion;
  private final Function<Object, ? extends R> action;

  /** {@code completion} is what ends {@code primitive}; {@code action} gets the result. */
  CompletionClause(Object primitive, Completion completion, Function<Object, ? extends R> action) {
    this.primitive = primitive;
    this.completion = completion;
    this.action = Objects.requireNonNull(action, "action");
  }

  @Override
  @Nullable Object poll() {
    return completion.resultOrNull();
  }

  @Override
  Alternatives.Part awaited() {
    return new Alternatives.Part(primitive, 0);
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return new SelectRequest(selection, index, 0);
  }

  @Override
  void submit(SelectRequest request) {
    if (completion.register(request) == GRANTED && request.selection().claim()) {
      request.decide(GRANTED);
      request.wake();
    }
  }

  @Override
  void withdraw(SelectRequest request) {
    completion.cancel(request);
  }

  @Override
  Object taken(SelectRequest request) {
    return Objects.requireNonNull(completion.resultOrNull());
  }

  @Override
  void giveBack(SelectRequest request) {
    // Nothing was taken.
  }

  @Override
  R apply(Object taken) {
    return action.apply(taken);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.host.Alternatives;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import org.jspecify.annotations.Nullable;

/** Another clause, with something that happens at the very moment at which it is put in line. */
public final class Meanwhile extends WaitingClause<String> {
  private final WaitingClause<String> clause;
  private final Runnable happens;

  private Meanwhile(WaitingClause<String> clause, Runnable happens) {
    this.clause = clause;
    this.happens = happens;
  }

  /** {@code happens} after all was tried and before {@code clause} is put in line. */
  public static Clause<String> before(Clause<String> clause, Runnable happens) {
    return new Meanwhile((WaitingClause<String>) clause, happens);
  }

  @Override
  @Nullable Object poll() {
    return clause.poll();
  }

  @Override
  Alternatives.Part awaited() {
    return clause.awaited();
  }

  @Override
  SelectRequest request(Selection selection, int index) {
    return clause.request(selection, index);
  }

  @Override
  void submit(SelectRequest request) {
    happens.run();
    clause.submit(request);
  }

  @Override
  void withdraw(SelectRequest request) {
    clause.withdraw(request);
  }

  @Override
  Object taken(SelectRequest request) {
    return clause.taken(request);
  }

  @Override
  void giveBack(SelectRequest request) {
    clause.giveBack(request);
  }

  @Override
  String apply(Object taken) {
    return clause.apply(taken);
  }
}

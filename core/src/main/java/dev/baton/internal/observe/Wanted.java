// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.host.Alternatives;
import dev.baton.host.Probe;
import dev.baton.host.Waiter;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.kernel.SelectRequest;
import dev.baton.internal.kernel.Selection;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The named things that one wait is for: one, or, of a select, as many as its clauses have. The wait of a select is told of to the one that
 * ended it, and only if none did, to all: that another was first says nothing about the rest.
 */
final class Wanted {
  /** One for each clause, in their order; null where the thing has no name. */
  private final @Nullable Probe[] probes;

  private Wanted(@Nullable Probe[] probes) {
    this.probes = probes;
  }

  /** The named things that a wait for {@code blocker} is for; null if none of them has a name. */
  static @Nullable Wanted named(Object blocker) {
    List<Alternatives.Part> parts = Alternatives.of(blocker);
    if (parts == null) {
      Probe only = Registry.find(blocker);
      return only == null ? null : new Wanted(new @Nullable Probe[] {only});
    }
    @Nullable Probe[] probes = parts.stream().map(part -> Registry.find(part.primitive())).toArray(Probe[]::new);
    return Arrays.stream(probes).allMatch(Objects::isNull) ? null : new Wanted(probes);
  }

  /** {@code waiter} waits no more. */
  void waited(Waiter waiter, long nanos, boolean granted) {
    SelectRequest winner = winner(waiter);
    for (int i = 0; i < probes.length; i++) {
      Probe probe = probes[i];
      if (probe != null && (winner == null ? isFirst(i) : winner.index() == i)) {
        probe.waited(nanos, granted);
      }
    }
  }

  /** Whether no clause before the one at {@code index} is of the same thing. */
  private boolean isFirst(int index) {
    return Arrays.asList(probes).indexOf(probes[index]) == index;
  }

  /** What ended the wait for {@code blocker}: the thing of that clause of a select which was served, if one was; else {@code blocker} itself. */
  static Object endOf(Waiter waiter, Object blocker) {
    SelectRequest winner = winner(waiter);
    List<Alternatives.Part> parts = winner == null ? null : Alternatives.of(blocker);
    return parts == null ? blocker : parts.get(Objects.requireNonNull(winner).index()).primitive();
  }

  /** For how many permits it was; 0 where nothing is counted. */
  static long permits(Waiter waiter) {
    Request request = waiter instanceof Request one ? one : winner(waiter);
    return request == null ? 0 : request.need();
  }

  private static @Nullable SelectRequest winner(Waiter waiter) {
    return waiter instanceof Selection selection ? (SelectRequest) selection.winner() : null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.internal.outcome.Outcome;
import dev.baton.sync.Result;
import dev.baton.sync.Waitable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Waiting for several: all of them, or the first one. */
final class Joins {
  private Joins() {}

  /** The values of all, in order; the first error that came, at once. */
  static List<@Nullable Object> gather(EffectTask<?> me, Gather<?> gather) throws Exception {
    List<Outcome<?>> all = outcomes(me, gather.waitables());
    List<Outcome<?>> pending = new ArrayList<>();
    for (Outcome<?> each : all) {
      if (each.resultOrNull() == null) {
        pending.add(each);
      }
    }
    int error = first(all, -1, true);
    Outcome<?> failed = error < 0 ? null : all.get(error);
    if (failed == null && !pending.isEmpty()) {
      int decider = Joint.awaitAll(me, pending);
      boolean well = !(pending.get(decider).resultOrNull() instanceof Result.Err<?>);
      failed = well ? null : pending.get(first(pending, decider, true));
    }
    if (failed != null) {
      EffectTask.resultOf(failed).orThrow();
    }
    List<@Nullable Object> values = new ArrayList<>(all.size());
    for (Outcome<?> each : all) {
      values.add(EffectTask.resultOf(each).orThrow());
    }
    return Collections.unmodifiableList(values);
  }

  /** Which was first, its value, and the rest. */
  static RaceResult<?> race(EffectTask<?> me, Race<?> race) throws Exception {
    List<Outcome<?>> all = outcomes(me, race.waitables());
    int first = first(all, -1, false);
    if (first < 0) {
      first = first(all, Joint.awaitFirst(me, all), false);
    }
    Object value = EffectTask.resultOf(all.get(first)).orThrow();
    Waitable<?> winner = race.waitables().get(first);
    List<Waitable<? extends @Nullable Object>> rest = new ArrayList<>();
    for (Waitable<?> each : race.waitables()) {
      if (each != winner) {
        rest.add(each);
      }
    }
    return new RaceResult<@Nullable Object>(winner, value, Collections.unmodifiableList(rest));
  }

  private static List<Outcome<?>> outcomes(EffectTask<?> me, List<? extends Waitable<?>> waitables) {
    List<Outcome<?>> all = new ArrayList<>(waitables.size());
    for (Waitable<?> each : waitables) {
      all.add(me.run.outcomeOf(each));
    }
    return all;
  }

  /**
   * Which of {@code all} ended first, or failed first. {@code decider} is the one that a wait was ended by, or -1: others may have ended
   * before it, after the wait had begun to look. Returns -1 if none has ended.
   */
  private static int first(List<Outcome<?>> all, int decider, boolean failed) {
    if (decider >= 0 && !(all.get(decider) instanceof Ending<?>)) {
      // Nobody knows more of it than that it was the first to say so.
      return decider;
    }
    int first = decider;
    for (int i = 0; i < all.size(); i++) {
      Object result = all.get(i).resultOrNull();
      if (result != null && (!failed || result instanceof Result.Err<?>) && (first < 0 || place(all.get(i)) < place(all.get(first)))) {
        first = i;
      }
    }
    return first;
  }

  /** When it ended. When that was of what the run has not made is not known: it counts as later than what the run has. */
  private static long place(Outcome<?> outcome) {
    return outcome instanceof Ending<?> ending ? ending.place() : Long.MAX_VALUE;
  }
}

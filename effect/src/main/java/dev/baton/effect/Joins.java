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
    Outcome<?> failed = null;
    for (Outcome<?> each : all) {
      Object result = each.resultOrNull();
      if (result == null) {
        pending.add(each);
      } else if (result instanceof Result.Err<?> && (failed == null || place(each) < place(failed))) {
        failed = each;
      }
    }
    if (failed == null && !pending.isEmpty()) {
      Outcome<?> decider = pending.get(Joint.await(me, pending, pending.size()));
      failed = decider.resultOrNull() instanceof Result.Err<?> ? decider : null;
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
    int first = -1;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).resultOrNull() != null && (first < 0 || place(all.get(i)) < place(all.get(first)))) {
        first = i;
      }
    }
    if (first < 0) {
      first = Joint.await(me, all, 1);
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

  /** When it ended. What the run has not made ended before all that it has. */
  private static long place(Outcome<?> outcome) {
    return outcome instanceof Ending<?> ending ? ending.place() : 0;
  }
}

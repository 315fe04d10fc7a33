// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.runtime.Step;
import dev.baton.runtime.internal.CooperativeHost;
import dev.baton.runtime.internal.CooperativeTask;
import dev.baton.runtime.internal.Observer;
import dev.baton.runtime.internal.StepRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Looks on during one run: checks what must always hold, and writes the steps down if it is asked to. */
final class TrialObserver implements Observer {
  private final List<Invariant> invariants;
  private final List<Step> steps = new ArrayList<>();
  private final @Nullable StepRecorder recorder;
  private boolean ended;
  private @Nullable Violation last;

  TrialObserver(List<Invariant> invariants, Recording recording) {
    this.invariants = new ArrayList<>(invariants);
    this.recorder = recording == Recording.NOTHING ? null : new StepRecorder(recording == Recording.LINES, steps::add);
  }

  /** How much is written down. */
  enum Recording {
    NOTHING,
    STEPS,
    LINES
  }

  /** Something that must always hold. */
  record Invariant(String name, BooleanSupplier holds) {

    /** Why it does not hold, or null if it does. */
    @Nullable Violation violation() {
      try {
        return holds.getAsBoolean() ? null : new Violation(name, null);
      } catch (Throwable failure) {
        return new Violation(name, failure);
      }
    }
  }

  /** An invariant that did not hold. */
  record Violation(String invariant, @Nullable Throwable cause) {}

  void add(Invariant invariant) {
    invariants.add(invariant);
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  @Override
  public boolean isLooking() {
    return recorder != null || !invariants.isEmpty();
  }

  @Override
  public void step(CooperativeHost host, CooperativeTask task, Object primitive) {
    if (recorder != null) {
      recorder.step(host, task, primitive);
    }
    Violation violation = violation();
    if (violation != null) {
      host.stop(violation);
    }
  }

  /** Those who are left are about to be thrown out: what they do then is not the program's doing. */
  @Override
  public void end() {
    if (!ended) {
      ended = true;
      last = violation();
    }
  }

  /** The first invariant that did not hold in the end, or null. */
  @Nullable Violation lastViolation() {
    end();
    return last;
  }

  /** The first invariant that does not hold, or null. */
  @Nullable Violation violation() {
    for (int i = 0; i < invariants.size(); i++) {
      Violation violation = invariants.get(i).violation();
      if (violation != null) {
        return violation;
      }
    }
    return null;
  }
}

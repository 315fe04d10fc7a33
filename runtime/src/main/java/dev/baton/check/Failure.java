// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.observe.WaitGraph;
import dev.baton.runtime.Step;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found, on the shortest schedule that was found to show it.
 *
 * @param kind what went wrong
 * @param message what there is to say about it
 * @param cause what was thrown, if that is what went wrong
 * @param replay what to hand to {@link Check#replay} to see it again; empty if no schedule can show it again
 * @param steps the schedule: every operation in its order, with the line that called it
 * @param foundAfter how many steps the schedule had on which it was found, before it was shortened
 * @param graph who waited for what in the end
 */
public record Failure(
    Kind kind,
    String message,
    @Nullable Throwable cause,
    String replay,
    List<Step> steps,
    long foundAfter,
    WaitGraph graph) {

  /** A failure. */
  public Failure {
    steps = List.copyOf(steps);
  }

  @Override
  public String toString() {
    return FailureText.of(this);
  }
}

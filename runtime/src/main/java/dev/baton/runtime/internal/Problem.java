// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.observe.WaitGraph;
import dev.baton.runtime.Stall;

/** Why a run was ended before its time. */
public sealed interface Problem {

  /** Nobody can go on. */
  record Deadlock(WaitGraph graph) implements Problem {}

  /** Too many operations; {@code graph} says who waited meanwhile. */
  record TooManySteps(long steps, WaitGraph graph) implements Problem {}

  /** Nothing happens any more because of something outside. */
  record Stalled(Stall stall) implements Problem {}

  /** Somebody who looked on has seen enough. */
  record Stopped(Object reason, WaitGraph graph) implements Problem {}
}

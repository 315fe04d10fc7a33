// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A wait that is its own blocker, for several things at once: for any of them, or for all. */
public interface Several {

  /**
   * One of the things that has not ended and comes from outside, or null. Asked by whoever has the turn; what is not from outside
   * never is.
   */
  @Nullable Object pendingFrom(Predicate<Object> outside);

  /** Those of the things that have not ended and are no tasks: for reports, which name tasks by themselves. */
  List<Object> pendingBesidesTasks();
}

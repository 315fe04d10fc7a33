// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a task has to know that works for another one, as a part of it on a thread of its own. It waits and is woken by itself; but
 * what it takes is taken by the other, and whoever reports speaks of the other. Not fields of every task: few are such.
 */
final class Errand {
  /** Whom it works for, which works for nobody itself. */
  final CooperativeTask owner;

  /** Who has the turn when it has ended; null: whoever is next. */
  @Nullable CooperativeTask heir;

  Errand(CooperativeTask owner) {
    this.owner = owner;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/** The program of a task that is told what the task leaves, when the handlers it has inherited have ended too. */
interface Leaving<T extends @Nullable Object> extends Program<T> {
  void left(PersistentMap state, Log log);
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

/** Looks on while a run goes on. Called by whoever has the turn; must not operate on primitives. */
public interface Observer {
  /** Looks away. */
  Observer NOBODY =
      new Observer() {
        @Override
        public boolean isLooking() {
          return false;
        }

        @Override
        public void step(CooperativeHost host, CooperativeTask task, Object primitive) {}
      };

  /** Whether it wants to be told of steps at present. */
  default boolean isLooking() {
    return true;
  }

  /** {@code task} is about to begin an operation on {@code primitive}. */
  void step(CooperativeHost host, CooperativeTask task, Object primitive);

  /** Those who are left are about to be thrown out. */
  default void end() {}
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import org.jspecify.annotations.Nullable;

/** Who lives in a task of the host: the task of a layer above. All of it is asked by whoever has the turn. */
public interface Resident {

  /** Its task is to be interrupted, since it is to end. Whether it must not be now; then it does so itself, later. */
  boolean keepsForLater();

  /** Its task is being interrupted, and it is to end. Called before the interrupt can be seen. */
  void interrupted();

  /** A block that it is in is being interrupted, and it is not to end. Called before the interrupt can be seen. */
  void blockInterrupted();

  /** Whether it was told to end and has not heard of it. */
  boolean isEnding();

  /** The thread of its task that works at present: the task itself, or one that works for it. */
  CooperativeTask active();

  /** Who lives around it in the same task, and waits until it has moved out; or null. */
  @Nullable Resident outer();
}

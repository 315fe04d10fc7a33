// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

/** Who lives in a task of the host: the task of a layer above. */
public interface Resident {

  /** Its task is being interrupted. Called by whoever has the turn, before the interrupt can be seen. */
  void interrupted();
}

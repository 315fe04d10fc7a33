// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

/** Thrown out of a wait that will never end because its run is over. An error, so that it is not caught by mistake. */
final class Unwind extends Error {
  private static final long serialVersionUID = 1;

  Unwind() {
    super("The run is over; this task is being thrown out of what it waits for.", null, false, false);
  }
}

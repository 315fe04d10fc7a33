// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

/** The work that a caller of {@link SingleFlight} waited for has failed. Each caller gets its own, with the work's error as its cause. */
public final class FlightFailedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  FlightFailedException(Throwable cause) {
    super("The work failed: " + cause.getClass().getName() + ".", cause);
  }
}

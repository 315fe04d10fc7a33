// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

/** The caller's interrupt flag. */
public final class Interrupts {
  private Interrupts() {}

  /** An already interrupted caller waits for nothing and takes nothing. */
  public static void check() throws InterruptedException {
    if (clear()) {
      throw new InterruptedException();
    }
  }

  /** Whether the caller was interrupted; from now on it is not. */
  public static boolean clear() {
    // Looked at first: that is always compiled into the caller, while to clear the flag of a virtual thread is a call.
    return Thread.currentThread().isInterrupted() && Thread.interrupted();
  }
}

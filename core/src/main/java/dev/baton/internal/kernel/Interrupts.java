// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

/** The caller's interrupt flag. */
public final class Interrupts {
  private Interrupts() {}

  /** An already interrupted caller waits for nothing and takes nothing. */
  public static void check() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}

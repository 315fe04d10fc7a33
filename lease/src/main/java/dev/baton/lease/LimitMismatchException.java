// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

/** Thrown to those who use a name with another limit than it has. Nothing was taken. */
public final class LimitMismatchException extends IllegalStateException {
  private final int declared;
  private final int actual;

  /**
   * {@code name} has the limit {@code actual} and was used with {@code declared}.
   *
   * @param name the name of the semaphore
   * @param declared the limit that was declared by the caller
   * @param actual the limit that the name has
   */
  public LimitMismatchException(String name, int declared, int actual) {
    super(
        "The semaphore " + name + " has the limit " + actual + " and was used with " + declared
            + ". Declare the same limit everywhere, or choose OnMismatch.ADOPT or OVERWRITE.");
    this.declared = declared;
    this.actual = actual;
  }

  /** {@return the limit that was declared by the caller} */
  public int declared() {
    return declared;
  }

  /** {@return the limit that the name has} */
  public int actual() {
    return actual;
  }
}

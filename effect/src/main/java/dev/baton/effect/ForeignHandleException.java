// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

/** A task or a promise of one run was used in another. */
public final class ForeignHandleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * {@code handle} is not of this run.
   *
   * @param handle a task or a promise of another run
   */
  public ForeignHandleException(Object handle) {
    super(
        handle
            + " belongs to another run: tasks and promises can be used only in the run that has made them. Hand its value over, or"
            + " wait for it outside of the run.");
  }
}

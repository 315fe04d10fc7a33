// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

/** A file holds no program that could be started. */
public final class NoProgramException extends Exception {
  private static final long serialVersionUID = 1;

  private final String remedy;

  NoProgramException(String what, String remedy) {
    super(what);
    this.remedy = remedy;
  }

  /** What to do about it. */
  public String remedy() {
    return remedy;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

/**
 * The program has called {@code System.exit}, which would have ended the command instead of one run. Thrown where the call stood.
 */
@SuppressWarnings("DoNotCallSuggester") // bytecode calls them, no source does
public final class ProgramExit extends Error {
  private static final long serialVersionUID = 1;

  private ProgramExit(String call) {
    super(call + " was called; a program that runs many times in one JVM ends by returning from main");
  }

  /** Stands for {@code System.exit} in the classes of a program. */
  public static void exit(int status) {
    throw new ProgramExit("System.exit(" + status + ")");
  }

  /** Stands for {@code Runtime.exit}. */
  public static void exit(Runtime runtime, int status) {
    throw new ProgramExit("Runtime.exit(" + status + ")");
  }

  /** Stands for {@code Runtime.halt}. */
  public static void halt(Runtime runtime, int status) {
    throw new ProgramExit("Runtime.halt(" + status + ")");
  }

  /** In a report: without the package, which is nothing to the reader. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return "ProgramExit: " + getMessage();
  }
}

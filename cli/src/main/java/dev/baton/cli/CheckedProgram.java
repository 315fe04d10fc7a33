// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.check.Check;
import dev.baton.check.Program;
import dev.baton.cli.program.KeptOutput;
import dev.baton.cli.program.LoadedProgram;
import java.util.List;

/**
 * The main method of a program as something to check.
 *
 * <p>Its classes are loaded once, and what its static fields carry from one run to the next is found and named. But a run that main
 * does not return from is cut off, in the middle of whatever it did: static locks would stay locked for ever, and the schedule that
 * is shown in the end would begin with them. The run after such a one gets classes of its own.
 */
final class CheckedProgram implements Program {
  private final List<String> arguments;
  private final KeptOutput output;
  private final Survivors survivors;
  private final boolean hasStaticState;

  // Both belong to one thread after the other: the driver of the runs, and the first task of each.
  private LoadedProgram program;
  private boolean returned = true;

  CheckedProgram(LoadedProgram program, List<String> arguments, KeptOutput output) {
    this.program = program;
    this.arguments = arguments;
    this.output = output;
    program.initialize();
    this.survivors = new Survivors(program.staticState());
    this.hasStaticState = program.hasStaticState();
  }

  @Override
  public void run() throws Exception {
    returned = false;
    output.clear();
    program.main(arguments);
    returned = true;
  }

  /** A check of this program that names the static fields to blame if two runs differ. */
  Check check() {
    return Check.that(this).explainingDifferences(this::afterRun, () -> survivors.explanation(program.staticState()));
  }

  /** What to say about static fields that keep changing. */
  List<String> warnings() {
    return survivors.warnings();
  }

  private void afterRun() {
    survivors.afterRun(program::staticState);
    if (!returned && hasStaticState) {
      program = program.loadedAgain();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static java.util.Objects.requireNonNull;

import picocli.CommandLine;

/** Entry point of the {@code baton} command. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine baton = new CommandLine(new BatonCommand());
    // An argument that starts with "@" is an argument, not the name of a file with more of them.
    baton.setExpandAtFiles(false);
    baton.setParameterExceptionHandler(new UsageErrors());
    baton.setExecutionExceptionHandler(new ExecutionErrors());
    baton.setColorScheme(Colours.ofOutput());
    // What follows the file belongs to the program, "--help" and "-n" included.
    subcommand(baton, "run").setStopAtPositional(true);
    subcommand(baton, "exec").setStopAtPositional(true);
    // The benchmark program has options of its own: all are unknown here, and the first one ends our parsing.
    subcommand(baton, "bench").setUnmatchedOptionsArePositionalParams(true).setStopAtPositional(true);
    return baton;
  }

  private static CommandLine subcommand(CommandLine baton, String name) {
    return requireNonNull(baton.getSubcommands().get(name), name);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;

/** Entry point of the {@code baton} command. */
public final class Main {
  private Main() {}

  /** Runs one command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    StandardOutput standard = new StandardOutput();
    PrintWriter out = standard.writer();
    CommandLine baton = commandLine().setOut(out);
    int exitCode = baton.execute(args);
    out.flush();
    System.exit(exitCode == 0 && standard.failure() != null ? notWritten(baton, standard.failure()) : exitCode);
  }

  /** Says why, unless whoever read has had enough; returns what the command returns if it cannot be carried out. */
  private static int notWritten(CommandLine baton, IOException why) {
    CommandLine command = baton.getParseResult() == null ? baton : baton.getParseResult().asCommandLineList().getLast();
    String reason = String.valueOf(why.getMessage());
    if (!reason.contains("Broken pipe")) {
      System.err.println(command.getCommandSpec().qualifiedName() + ": standard output cannot be written: " + reason);
    }
    return command.getCommandSpec().exitCodeOnExecutionException();
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

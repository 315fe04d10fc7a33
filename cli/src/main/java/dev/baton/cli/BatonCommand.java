// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command without a subcommand: help and version. */
@Command(
    name = "baton",
    description = "Fair, cancellable concurrency for plain Java.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      CheckCommand.class,
      RunCommand.class,
      ExecCommand.class,
      LeasesCommand.class,
      BenchCommand.class,
      CompletionCommand.class,
      HelpCommand.class,
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:understood, but it could not be carried out; 'check': found something",
      "2:the command line was wrong; nothing was started",
      "3:'check': the file does not compile, or has no main",
      "4:'check': the check itself failed",
      "123..127:'exec': the lease was lost, or could not be had; see its help",
      "128+s:ended by signal s: 130 after Ctrl-C, 143 after TERM",
      "n:of a program that was started: its own exit code",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  baton check Program.java               search its schedules for a deadlock",
      "  baton run examples/FairPermits.java    see who held the permit when",
      "  baton exec --name nightly -- ./job.sh  one at a time on all machines",
      "  baton run --help                       more about one command",
      "  baton bench list                       which benchmarks there are",
      "  source <(baton completion)             completes commands and options",
    })
final class BatonCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "which command? Expected one of: " + String.join(", ", spec.subcommands().keySet()));
  }
}

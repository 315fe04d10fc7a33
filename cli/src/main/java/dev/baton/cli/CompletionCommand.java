// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what a shell needs to complete commands, options and their values. */
@Command(
    name = "completion",
    description = "Prints a script for bash or zsh that completes commands, options and their values.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "baton completion [-hV]",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:the command line was wrong"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(baton completion)              for this shell",
      "  baton completion > ~/.baton-completion  to be sourced in ~/.bashrc or ~/.zshrc",
    })
final class CompletionCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    CommandSpec baton = spec.root();
    PrintWriter out = spec.commandLine().getOut();
    out.print(AutoComplete.bash(baton.name(), baton.commandLine()));
    out.flush();
  }
}

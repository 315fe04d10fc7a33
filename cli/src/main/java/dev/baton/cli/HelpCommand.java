// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** What {@code --help} shows, for those who ask for it in this way. */
@Command(
    name = "help",
    description = "Shows how a command is used, as its --help does.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "baton help [COMMAND...]",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:there is no such command"},
    footerHeading = "%nExamples:%n",
    footer = {"  baton help check", "  baton help leases revoke"})
final class HelpCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", description = "A command, or one of its own commands. Default: all of them.")
  private List<String> names = new ArrayList<>();

  @Override
  public void run() {
    CommandLine shown = Objects.requireNonNull(spec.parent()).commandLine();
    for (String name : names) {
      CommandLine next = shown.getSubcommands().get(name);
      if (next == null) {
        throw new UnmatchedArgumentException(shown, List.of(name));
      }
      shown = next;
    }
    shown.usage(spec.commandLine().getOut(), shown.getColorScheme());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Shows the leases on a server, takes one away, changes a limit. What happens then is in {@link LeasesDesk}. */
@Command(
    name = "leases",
    description = "Shows the leases on Redis: names, who holds them, who waits, and for how long.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    subcommands = {LeasesCommand.Revoke.class, LeasesCommand.Resize.class},
    customSynopsis = {
      "baton leases [--name N]... [--watch] [--json] [OPTION...]",
      "      baton leases revoke NAME ID [OPTION...]",
      "      baton leases resize NAME LIMIT [OPTION...]",
    },
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:Redis cannot be used; 'revoke': no such lease is held",
      "2:the command line was wrong; nothing was asked",
      "128+s:--watch was ended by signal s: 130 after Ctrl-C",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  baton leases --redis redis://localhost:6379",
      "  baton leases --watch --name export",
      "  baton leases --json | jq '.names[].holders[].id'",
      "  baton leases resize export 5",
    })
final class LeasesCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(names = "--name", paramLabel = "N", description = "Show this name only; may be given several times.")
  private List<String> names = new ArrayList<>();

  @Option(names = "--watch", description = "Show it again and again, until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "T",
      converter = DurationConverter.class,
      defaultValue = "1s",
      description = "How often --watch looks: 1s.")
  private Duration interval = Duration.ofSeconds(1);

  @Option(names = "--json", description = "As one JSON object; with --watch one in each line.")
  private boolean json;

  @Mixin
  private RedisOptions redis;

  @Override
  public Integer call() throws InterruptedException {
    if (!watch && spec.commandLine().getParseResult().hasMatchedOption("--interval")) {
      throw new ParameterException(
          spec.commandLine(), "--interval is how often --watch looks\n  Expected: --watch with it. Add that, or leave --interval out.");
    }
    LeasesDesk desk = new LeasesDesk(spec.commandLine(), redis);
    return watch ? desk.watch(names, json, interval) : desk.show(names, json);
  }

  /** What is done to one name. */
  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = Version.class,
      sortOptions = false,
      exitCodeListHeading = "%nExit codes:%n",
      footerHeading = "%nExamples:%n")
  abstract static class OfName implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @ParentCommand
    private LeasesCommand leases;

    @Parameters(index = "0", paramLabel = "NAME", description = "The name.")
    private String name;

    @Override
    public final Integer call() {
      return act(new LeasesDesk(spec.commandLine(), leases.redis), name);
    }

    abstract int act(LeasesDesk desk, String name);
  }

  /** Takes a lease away. */
  @Command(
      name = "revoke",
      description = "Takes a lease away from its holder, who is told; the next in line is served.",
      exitCodeList = {
        "0:it is revoked",
        "1:no such lease is held, or Redis cannot be used; nothing has changed",
        "2:the command line was wrong; nothing was asked",
      },
      footer = {
        "  baton leases --json --name export | jq -r '.names[].holders[].id'",
        "  baton leases revoke export ID",
      })
  static final class Revoke extends OfName {
    @Parameters(index = "1", paramLabel = "ID", description = "The lease, as 'baton leases' shows it.")
    private String id;

    @Override
    int act(LeasesDesk desk, String name) {
      return desk.revoke(name, id);
    }
  }

  /** Changes a limit. */
  @Command(
      name = "resize",
      description = "Sets how many permits a name has. Revokes nobody: if more are held, the next waits until fewer are.",
      exitCodeList = {
        "0:it is set",
        "1:Redis cannot be used; nothing has changed",
        "2:the command line was wrong; nothing was asked",
      },
      footer = "  baton leases resize export 5 --redis redis://localhost:6379")
  static final class Resize extends OfName {
    @Parameters(index = "1", paramLabel = "LIMIT", description = "How many permits it has from now on.")
    private int limit;

    @Override
    int act(LeasesDesk desk, String name) {
      return desk.resize(name, limit);
    }
  }
}

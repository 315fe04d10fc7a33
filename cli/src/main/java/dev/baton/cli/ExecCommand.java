// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while holding a lease. What happens then is in {@link LeasedRun}. */
@Command(
    name = "exec",
    description = {
      "Runs a command while holding a lease on Redis: of all who use the same name, on all machines, so many run at a time, in the order "
          + "in which they came.",
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "baton exec --name N [--permits P] [OPTION...] -- COMMAND [ARGUMENT...]",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions, before the command:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "n:the command's own; 128+s if signal s ended it",
      "2:the command line was wrong; nothing was started",
      "123:the lease was lost, and the command ended for that",
      "124:no lease within --max-wait; nothing was started",
      "125:no lease: Redis cannot be used, or the name has another limit; nothing was started",
      "126:the command cannot be executed",
      "127:there is no such command",
      "128+s:signal s came while waiting; nothing was started",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  baton exec --name nightly -- ./backup.sh",
      "      one at a time; the others wait",
      "  baton exec --name export --permits 3 --max-wait 1m -- ./export.sh",
      "      three at a time; who waits for longer than a minute gives up (124)",
      "  baton exec --name gpu --permits 8 --take 2 --ttl 2h -- python train.py",
      "      two of eight permits; after two hours the command is ended (123)",
      "%nThe command finds BATON_LEASE_ID, BATON_FENCING_TOKEN and BATON_SLOT in its",
      "environment. INT, TERM and HUP are passed on to it.",
    })
final class ExecCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(names = "--name", paramLabel = "N", required = true, description = "What is shared: any text.")
  private String name = "";

  @Option(
      names = {"--permits", "--limit"},
      paramLabel = "P",
      description = {
        "How many permits the name has: so many commands run at a time. All who use the name say the same.",
        "Default: what the name has already, or 1.",
      })
  private @Nullable Integer limit;

  @Option(names = "--take", paramLabel = "K", defaultValue = "1", description = "How many of the permits this command needs: 1.")
  private int take = 1;

  @Option(
      names = "--max-wait",
      paramLabel = "T",
      converter = DurationConverter.OrZero.class,
      description = "Give up after so long, such as 500ms, 30s, 1m or PT1M; 0s does not wait. Default: wait for as long as it takes.")
  private @Nullable Duration maxWait;

  @Option(
      names = "--ttl",
      paramLabel = "T",
      converter = DurationConverter.class,
      description = "The longest that the command may run: then the lease is lost. Default: as long as it takes.")
  private @Nullable Duration ttl;

  @Option(
      names = "--window",
      paramLabel = "T",
      converter = DurationConverter.class,
      defaultValue = "30s",
      description = "How long others wait if this machine dies: 30s, at least 2s. Renewed three times in it.")
  private Duration window = Duration.ofSeconds(30);

  @Option(
      names = "--grace",
      paramLabel = "T",
      converter = DurationConverter.OrZero.class,
      defaultValue = "10s",
      description = "If the lease is lost, the command and all it has started get TERM, and KILL so long after: 10s.")
  private Duration grace = Duration.ofSeconds(10);

  @Option(names = "--label", paramLabel = "TEXT", description = "How 'baton leases' shows it. Default: command, process and machine.")
  private @Nullable String label;

  @Mixin
  private RedisOptions redis;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run, with its arguments. After '--', or where the first word is that is no option.")
  private List<String> command = new ArrayList<>();

  @Override
  public Integer call() {
    return new LeasedRun(this).run();
  }

  CommandSpec spec() {
    return spec;
  }

  String name() {
    return name;
  }

  /** How many permits the name has; null: what it has already. */
  @Nullable Integer limit() {
    return limit;
  }

  int take() {
    return take;
  }

  @Nullable Duration maxWait() {
    return maxWait;
  }

  @Nullable Duration ttl() {
    return ttl;
  }

  Duration window() {
    return window;
  }

  Duration grace() {
    return grace;
  }

  @Nullable String label() {
    return label;
  }

  RedisOptions redis() {
    return redis;
  }

  List<String> command() {
    return command;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.peer.Peer;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code baton bench}: Baton beside its peers, in one run on this machine. */
@Command(
    name = "baton bench",
    sortOptions = false,
    description = "Measures Baton beside its peers. Without a suite, runs them all (about 50 minutes).",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, whether or not all bars were met",
      "1:a benchmark failed, or its results could not be written",
      "2:the command line was wrong; nothing was run",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  baton bench list                        which suites there are",
      "  baton bench pair handover               these two",
      "  baton bench --quick                     all of them, to see that they work",
      "  baton bench pair --json > pair.json     for a program to read",
      "  baton bench handover --threads 64,1000 -p impl=baton,jucFair",
    })
public final class Main implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "SUITE", arity = "0..*", description = "what to run; `baton bench list` lists them")
  private List<String> names = List.of();

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help")
  @SuppressWarnings("UnusedVariable") // picocli reads it
  private boolean help;

  @Option(names = "--quick", description = "a smoke run of all within seven minutes; its figures are not to be quoted")
  private boolean quick;

  @Option(names = "--forks", paramLabel = "N", description = "JVMs per benchmark, one in each round")
  private @Nullable Integer forks;

  @Option(names = "--warmup", paramLabel = "N", description = "warm-up iterations")
  private @Nullable Integer warmups;

  @Option(names = "--iterations", paramLabel = "N", description = "measured iterations")
  private @Nullable Integer iterations;

  @Option(names = "--time", paramLabel = "TIME", description = "length of an iteration, such as 500ms or 2s")
  private @Nullable String time;

  @Option(names = "--threads", paramLabel = "N,N", description = "numbers of workers; short for -p threads=N,N")
  private @Nullable String threads;

  @Option(names = "-p", paramLabel = "NAME=V,V", description = "values of any other parameter, such as -p impl=baton")
  private Map<String, String> params = Map.of();

  @Option(names = "--out", paramLabel = "DIR", description = "where to write; default: a new folder in bench-results")
  private @Nullable Path out;

  @Option(names = "--json", description = "print the results as JSON instead of tables")
  private boolean json;

  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setParameterExceptionHandler(
            (wrong, args) -> {
              PrintWriter err = wrong.getCommandLine().getErr();
              err.println("baton bench: " + wrong.getMessage());
              UnmatchedArgumentException.printSuggestions(wrong, err);
              err.println("See 'baton bench --help'.");
              return CommandLine.ExitCode.USAGE;
            })
        .setExecutionExceptionHandler(
            (error, command, parsed) -> {
              if (!(error instanceof IOException || error instanceof UncheckedIOException)) {
                throw error; // a bug: with its stack
              }
              command.getErr().println("baton bench: the results cannot be written: " + error.getMessage());
              command.getErr().println("Say where else: baton bench --out DIR");
              return CommandLine.ExitCode.SOFTWARE;
            });
  }

  @Command(name = "list", description = "Lists the suites.")
  int list() {
    PrintWriter writer = spec.commandLine().getOut();
    Suites.ALL.forEach(suite -> writer.printf("%-10s %s%n", suite.name(), suite.about()));
    Suites.ELSEWHERE.forEach((name, about) -> writer.printf("%-10s %s%n", name, about));
    writer.flush();
    return 0;
  }

  @Override
  public Integer call() throws IOException {
    List<Suite> suites = suites();
    Settings settings = settings(suites);
    if (Run.size(suites, settings) == 0) {
      throw wrong("with these parameters there is nothing to run");
    }
    ZonedDateTime start = ZonedDateTime.now(ZoneId.systemDefault());
    Machine machine = Machine.here(command(), start);
    Path folder = folder(start);
    Files.createDirectories(folder);
    PrintStream screen = System.err;
    PrintStream stdout = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (!json) {
      machine.lines().forEach(stdout::println);
    }
    Path logFile = folder.resolve("jmh.log");
    Run run;
    try (PrintStream log = new PrintStream(Files.newOutputStream(logFile), true, StandardCharsets.UTF_8)) {
      run = new Run(suites, settings);
      run.run(log, screen, isTerminal(), () -> write(folder, run, machine));
    } catch (RunnerException e) {
      screen.println();
      screen.println("a benchmark failed: " + e.getMessage() + "; see " + logFile);
      return 1;
    }
    Report report = report(run, machine);
    stdout.print(json ? Json.of(report) + "\n" : "\n" + report.text());
    screen.println("written to " + folder);
    return 0;
  }

  private Settings settings(List<Suite> suites) {
    refuseNone("--forks", forks);
    refuseNone("--iterations", iterations);
    return new Settings(quick, forks, warmups, iterations, timeValue(), chosenParams(suites));
  }

  private void refuseNone(String option, @Nullable Integer value) {
    if (value != null && value < 1) {
      throw wrong(option + " is " + value + "; expected 1 or more");
    }
  }

  /** How many benchmarks the command line asks for. */
  int planned() {
    List<Suite> suites = suites();
    return Run.size(suites, settings(suites));
  }

  private List<Suite> suites() {
    if (names.isEmpty()) {
      return Suites.ALL;
    }
    Set<Suite> chosen = new LinkedHashSet<>();
    for (String name : names) {
      chosen.add(Suites.named(name).orElseThrow(() -> wrong(unknown(name))));
    }
    return List.copyOf(chosen);
  }

  private static String unknown(String name) {
    return Suites.ELSEWHERE.containsKey(name)
        ? "suite '" + name + "' is not on the class path; the script 'baton' at the root of a checkout builds and adds it"
        : "unknown suite '" + name + "'; there are: " + String.join(", ", Suites.names()) + "; by name only: " + String.join(", ", Suites.ELSEWHERE.keySet());
  }

  private Map<String, List<String>> chosenParams(List<Suite> suites) {
    Map<String, String> chosen = new LinkedHashMap<>(params);
    if (threads != null) {
      chosen.put("threads", threads);
    }
    Set<String> known = new TreeSet<>();
    suites.forEach(suite -> suite.works().forEach(work -> known.addAll(work.params(false, Map.of()).keySet())));
    Map<String, List<String>> values = new LinkedHashMap<>();
    chosen.forEach(
        (name, list) -> {
          if (!known.contains(name)) {
            throw wrong("no chosen suite has a parameter '" + name + "'; there are: " + String.join(", ", known));
          }
          values.put(name, List.of(list.split(",", -1)));
        });
    try {
      values.getOrDefault(Work.IMPL, List.of()).forEach(Peer::of);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
    return values;
  }

  private @Nullable TimeValue timeValue() {
    if (time == null) {
      return null;
    }
    try {
      // JMH would take a bare number for seconds.
      if (!Character.isDigit(time.charAt(time.length() - 1))) {
        return TimeValue.fromString(time);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // said below
    }
    throw wrong("not a time: '" + time + "'; write 500ms or 2s");
  }

  private ParameterException wrong(@Nullable String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private String command() {
    List<String> arguments = spec.commandLine().getParseResult().originalArgs();
    return ("baton bench " + String.join(" ", arguments)).strip();
  }

  private Path folder(ZonedDateTime start) {
    if (out != null) {
      return out;
    }
    String stamp = start.format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
    return Path.of(System.getProperty("baton.home", "")).resolve("bench-results").resolve(stamp);
  }

  /** Progress goes to standard error. Whether that is a terminal, the launcher script knows; elsewhere the console is asked. */
  @SuppressWarnings("SystemConsoleNull") // never null in Java 22 to 24, null again without a terminal in 25
  private static boolean isTerminal() {
    String told = System.getProperty("baton.terminal");
    if (told != null) {
      return Boolean.parseBoolean(told);
    }
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private Report report(Run run, Machine machine) {
    String caution =
        quick
            ? "A quick run: it shows that everything works, and its figures are not to be quoted."
            : "Only ratios within a run count; absolute figures depend on the machine and on what else it did.";
    return new Report(machine, caution, run.rows());
  }

  /** After each suite, so that a run cut short leaves what it has. */
  private void write(Path folder, Run run, Machine machine) {
    Report report = report(run, machine);
    try {
      Files.writeString(folder.resolve("results.md"), report.markdown());
      for (String suite : report.rows().stream().map(Row::suite).distinct().toList()) {
        List<Row> rows = report.rows().stream().filter(row -> row.suite().equals(suite)).toList();
        Files.writeString(folder.resolve(Chart.fileName(suite)), Chart.of(rows));
      }
      try (PrintStream raw =
          new PrintStream(Files.newOutputStream(folder.resolve("jmh.json")), true, StandardCharsets.UTF_8)) {
        ResultFormatFactory.getInstance(ResultFormatType.JSON, raw).writeOut(run.raw());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static java.util.Map.entry;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every command that README and docs show does what they say; a new one has to be entered here. */
class ShownCommandsTest {
  /** They are run, and end with this. */
  private static final Map<String, Integer> RUN = Map.ofEntries(
      entry("./baton check examples/DiningPhilosophers.java", 1),
      entry("./baton check examples/DiningPhilosophers.java --seed random:112", 1),
      entry("./baton check examples/DiningPhilosophers.java --svg table.svg", 1),
      entry("./baton check examples/DiningPhilosophers.java --json", 1),
      entry("./baton check examples/BankTransfer.java", 1),
      entry("./baton check examples/BankTransfer.java --seed random:5", 0),
      entry("./baton check examples/BankTransfer.java 10 -- --verbose", 1),
      entry("./baton check examples/BankTransferFixed.java", 0),
      entry("./baton check examples/BankTransferFixed.java --strategy exhaustive", 0),
      entry("./baton check examples/TimeoutRaceFixed.java --strategy exhaustive", 0),
      entry("./baton run --help", 0),
      entry("./baton run examples/FairPermits.java", 0),
      entry("./baton run examples/SilentDeadlock.java", 0),
      entry("./baton run examples/TestedCrawler.java", 0),
      entry("./baton run examples/BoundedCrawler.java", 0),
      entry("./baton run examples/BoundedCrawler.java --help", 0),
      entry("./baton exec --name nightly -- ./backup.sh", 0),
      entry("./baton exec --name export --permits 3 --max-wait 1m -- ./export.sh", 0),
      entry("./baton exec --name gpu --permits 8 --take 2 --ttl 2h -- ./train.sh", 0),
      entry("./baton leases", 0),
      entry("./baton leases --json --name export", 0),
      entry("./baton leases revoke export ID", 1), // there is no such lease
      entry("./baton leases resize export 5", 0),
      entry("./baton completion", 0));

  /** They are not run but read by the parser, for this reason. Those of "bench" are read by the benchmarks' own, in their tests. */
  private static final Map<String, String> READ = Map.ofEntries(
      entry("./baton check examples/DiningPhilosophersFixed.java --time 5m", "takes five minutes"),
      entry("./baton leases --watch", "does not end by itself: ExecProcessTest watches"),
      entry("./baton bench", "takes 50 minutes"),
      entry("./baton bench list", "the benchmarks are built later"),
      entry("./baton bench --quick", "takes minutes"),
      entry("./baton bench pair handover", "takes minutes"),
      entry("./baton bench pair --json", "takes minutes"),
      entry("./baton bench tracking", "takes minutes"),
      entry("./baton bench leases redis", "takes minutes"),
      entry("./baton bench handover --threads 64,1000 -p sectionNanos=800 -p impl=baton,jucFair", "takes minutes"),
      entry("./baton bench effects --forks 4 -p impl=bareSwitch,batonYield,effectPromise,effectSemaphore", "takes minutes"),
      entry("./baton bench channels --forks 6 -p impl=batonChannel,jox -p pairs=1000", "takes minutes"),
      entry("./baton bench fork effects --forks 3 -p impl=batonScope,bareThreads,bareSwitch,effectPromise,effectSemaphore", "takes minutes"),
      entry("./baton bench memory --forks 2", "takes minutes"),
      entry("./baton bench pair --forks 5 --iterations 10 --time 1s", "takes minutes"));

  private static final Pattern TIME = Pattern.compile("in [\\d.,]+ m?s");
  private static final Pattern MODULES = Pattern.compile(" -pl (\\S+)");
  private static final Pattern TEST = Pattern.compile("-Dtest=(\\w+)");

  private static RedisProcess server;

  /** Looks like a checkout, as far as the commands are concerned. */
  @TempDir
  private static Path directory;

  @BeforeAll
  static void start() throws IOException {
    server = new RedisProcess();
    Path examples = Files.createDirectory(directory.resolve("examples"));
    try (Stream<Path> programs = Files.list(Project.root().resolve("examples"))) {
      for (Path program : programs.filter(file -> file.toString().endsWith(".java")).toList()) {
        Files.copy(program, examples.resolve(program.getFileName()));
      }
    }
    for (String script : List.of("backup.sh", "export.sh", "train.sh")) {
      Path file = Files.writeString(directory.resolve(script), "#!/bin/sh\necho \"$BATON_SLOT\"\n");
      assertThat(file.toFile().setExecutable(true)).isTrue();
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** Each once, in the order of the pages. At least one of them says what it prints. */
  static Stream<ShownCommand> run() throws IOException {
    Map<String, ShownCommand> commands = new LinkedHashMap<>();
    for (ShownCommand shown : ShownCommand.all()) {
      if (RUN.containsKey(shown.line())) {
        // The one that says what it prints says more.
        commands.merge(shown.line(), shown, (before, now) -> before.output().isEmpty() ? now : before);
      }
    }
    assertThat(commands.values()).anyMatch(shown -> shown.words().getFirst().equals("check") && !shown.output().isEmpty());
    return commands.values().stream();
  }

  @ParameterizedTest
  @MethodSource
  void run(ShownCommand shown) throws Exception {
    Map<String, String> variables = Map.of(RedisOptions.VARIABLE, server.uri());
    try (var baton = new RealProcess(directory, variables, shown.words().toArray(String[]::new))) {
      baton.type("");
      List<String> printed = baton.rest();

      assertThat(baton.exitCode()).as(() -> String.join("\n", printed)).isEqualTo(RUN.get(shown.line()));
      assertThat(printed.isEmpty() && baton.err().isEmpty()).as("says nothing at all").isFalse();
      assertThat(baton.err()).doesNotContain("\tat ");
      assertThat(baton.isAlive()).isFalse();
      if (shown.words().getFirst().equals("check") && !shown.output().isEmpty()) { // what "run" prints may differ from time to time
        assertThat(alike(printed)).as(shown.place()).containsSubsequence(alike(shown.output()));
      }
    }
  }

  @Test
  void everyShownCommandIsRunOrRead() throws Exception {
    Set<String> shown = ShownCommand.all().stream().filter(ShownCommand::isBaton).map(ShownCommand::line).collect(toSet());
    Set<String> known = new HashSet<>(RUN.keySet());
    known.addAll(READ.keySet());

    assertThat(shown).as("enter what is new, and leave out what is shown no more").isEqualTo(known);
  }

  @Test
  void whatIsNotRunIsAtLeastRead() throws Exception {
    for (ShownCommand shown : ShownCommand.all()) {
      if (READ.containsKey(shown.line())) {
        assertThat(Main.commandLine().parseArgs(shown.words().toArray(String[]::new)).hasSubcommand()).as(shown.place()).isTrue();
      }
    }
  }

  @Test
  void whatMavenAndTheOtherScriptsAreToldIsThere() throws Exception {
    List<ShownCommand> others = ShownCommand.all().stream().filter(shown -> !shown.isBaton()).toList();
    assertThat(others).extracting(ShownCommand::line).contains("mvn verify");
    Set<String> tests = testsOfTheProject();
    for (ShownCommand shown : others) {
      if (!shown.line().startsWith("mvn ")) {
        assertThat(Project.root().resolve(shown.line().split(" ", 2)[0])).as(shown.place()).isExecutable();
        continue;
      }
      Matcher modules = MODULES.matcher(shown.line());
      while (modules.find()) {
        for (String module : modules.group(1).split(",", -1)) {
          assertThat(Project.root().resolve(module).resolve("pom.xml")).as(shown.place()).exists();
        }
      }
      Matcher test = TEST.matcher(shown.line());
      while (test.find()) {
        // Of the project, or the one that the page itself shows how to write.
        String page = Files.readString(Project.root().resolve(shown.place().replaceAll(":\\d+$", "")));
        assertThat(tests.contains(test.group(1)) || page.contains("class " + test.group(1) + " {")).as(shown.place()).isTrue();
      }
    }
  }

  @Test
  void aBlockIsReadAsItIsMeant() {
    List<String> page = List.of(
        "text with `./baton run A.java` and `baton --help`",
        "```",
        "$ ./baton check B.java",
        "Found: deadlock",
        "$ mvn verify",
        "source <(./baton completion)",
        "mvn -pl core test   one module",
        "./baton leases --json | jq .   # all of them",
        "```",
        "```java",
        "// ./baton run NotThis.java",
        "```");

    assertThat(ShownCommand.inPage("p", page))
        .containsExactly(
            new ShownCommand("p:1", "./baton run A.java", List.of()),
            new ShownCommand("p:3", "./baton check B.java", List.of("Found: deadlock")),
            new ShownCommand("p:5", "mvn verify", List.of()),
            new ShownCommand("p:6", "./baton completion", List.of()),
            new ShownCommand("p:7", "mvn -pl core test", List.of()),
            new ShownCommand("p:8", "./baton leases --json", List.of()));
  }

  /** Without what differs from time to time, from place to place, and what the page leaves out. */
  private static List<String> alike(List<String> lines) {
    return lines.stream()
        .map(line -> TIME.matcher(line).replaceAll("in some time").replace("./baton", "baton").stripTrailing())
        .filter(line -> !line.strip().equals("…") && !line.isEmpty())
        .toList();
  }

  private static Set<String> testsOfTheProject() throws IOException {
    Set<String> tests = new HashSet<>();
    try (Stream<Path> modules = Files.list(Project.root())) {
      for (Path module : modules.toList()) {
        Path sources = module.resolve("src/test/java");
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            files.map(file -> file.getFileName().toString().replace(".java", "")).forEach(tests::add);
          }
        }
      }
    }
    return tests;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code baton check} finds, and how it says so. */
class CheckCommandTest {
  /** Deadlocks if each has taken its first lock: line 11 and 12. */
  static final String CROSSED =
      """
      import dev.baton.scope.Scope;
      import dev.baton.sync.Mutex;

      void main() throws Exception {
        Mutex a = new Mutex();
        Mutex b = new Mutex();
        IO.println("two locks");
        try (Scope scope = Scope.open()) {
          scope.fork(() -> both(a, b));
          scope.fork(() -> both(b, a));
          scope.join();
        }
      }

      void both(Mutex first, Mutex second) throws InterruptedException {
        try (var one = first.guard();
            var two = second.guard()) {
          IO.println("both");
        }
      }
      """;

  @TempDir
  private Path directory;

  @Test
  void aDeadlockIsFoundAndShownWithItsLines() throws Exception {
    var check = check(CROSSED);

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out())
        .contains("Found: deadlock", "waits for Mutex", "Program.java:16", "Program.java:17", "Schedule, ", "Mutex.guard")
        .contains("Replay: random:", "See it again: baton check " + directory.resolve("Program.java") + " --seed random:");
    assertThat(check.err()).isEmpty();
  }

  @Test
  void theRepairedProgramPasses() throws Exception {
    var check = check(CROSSED.replace("both(b, a)", "both(a, b)"));

    assertThat(check.exitCode()).isZero();
    assertThat(check.out()).contains("Nothing found in 1,000 schedules (random");
    assertThat(check.err()).isEmpty();
  }

  @Test
  void theCommandThatWasPrintedShowsTheSameAgain() throws Exception {
    var found = check(CROSSED);
    String seed = found.out().lines().filter(line -> line.startsWith("Replay: ")).findFirst().orElseThrow().substring(8);

    var again = check(CROSSED, "--seed", seed);

    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(withoutCounts(again.out())).isEqualTo(withoutCounts(found.out()));
  }

  @Test
  void aBareNumberIsASeedOfTheStrategy() throws Exception {
    var check = check(CROSSED, "--seed", "7", "--strategy", "pct:2");

    assertThat(check.out()).contains("1 schedule (pct:2");
  }

  @Test
  void anExhaustiveSearchSaysThatItHasSeenAll() throws Exception {
    var check = check(CROSSED.replace("both(b, a)", "both(a, b)"), "--strategy", "exhaustive:1");

    assertThat(check.exitCode()).isZero();
    assertThat(check.out()).contains("(exhaustive:1, ", "these are all with at most 1 pre-emption");
  }

  @Test
  void aReplayedPathIsWhatTheExhaustiveSearchFound() throws Exception {
    var found = check(CROSSED, "--strategy", "exhaustive");
    String path = found.out().lines().filter(line -> line.startsWith("Replay: ")).findFirst().orElseThrow().substring(8);

    assertThat(path).startsWith("path:");
    assertThat(check(CROSSED, "--seed", path).out()).contains("Found: deadlock");
  }

  @Test
  void seedsAndTimeBoundTheSearch() throws Exception {
    String right = CROSSED.replace("both(b, a)", "both(a, b)");

    assertThat(check(right, "--seeds", "17").out()).contains("Nothing found in 17 schedules");
    assertThat(check(right, "--time", "100ms").exitCode()).isZero();
  }

  @Test
  void anExceptionIsFoundWithItsLine() throws Exception {
    var check = check("void main() {\n  throw new IllegalStateException(\"boom\");\n}\n");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out())
        .contains("Found: exception", "IllegalStateException: boom", "at Program.main(Program.java:2)")
        .doesNotContain("at dev.baton");
  }

  @Test
  void aLockThatIsNeverGivenBackIsALeakUnlessThatIsAllowed() throws Exception {
    String leak = "void main() { new dev.baton.sync.Mutex().lock(); }";

    assertThat(check(leak).out()).contains("Found: leaked permit");
    assertThat(check(leak, "--allow-leaks").exitCode()).isZero();
  }

  @Test
  void tooManyStepsAreALivelock() throws Exception {
    String spins = "void main() throws Exception { var s = dev.baton.sync.Semaphore.of(1); while (true) s.withPermit(() -> 1); }";

    var check = check(spins, "--steps", "50");

    assertThat(check.out()).contains("Found: livelock", "after 50 steps", "--seed random:0 --steps 50");
  }

  @Test
  void anEmptyMainPasses() throws Exception {
    assertThat(check("void main() {}").exitCode()).isZero();
  }

  // ---- what the program prints and reads ----

  @Test
  void outputIsKeptFromTheSearchAndShownForTheScheduleThatFails() throws Exception {
    var failed = check(CROSSED);
    var passed = check(CROSSED.replace("both(b, a)", "both(a, b)"));

    assertThat(failed.out()).contains("Printed by the program on this schedule:\n  | two locks\n").doesNotContain("| both");
    assertThat(passed.out()).doesNotContain("two locks");
  }

  @Test
  void standardErrorIsKeptToo() throws Exception {
    var check = check("void main() { System.err.println(\"oh\"); throw new RuntimeException(); }");

    assertThat(check.out()).contains("  | oh");
    assertThat(check.err()).isEmpty();
  }

  @Test
  void aProgramThatReadsFindsNothing() throws Exception {
    var check = check("void main() { if (IO.readln() != null) throw new IllegalStateException(); }");

    assertThat(check.exitCode()).isZero();
  }

  @Test
  void argumentsReachMainAndTheReplay() throws Exception {
    var check =
        check(
            "void main(String[] args) { throw new IllegalStateException(String.join(\"|\", args)); }",
            "one", "two words", "--seeds", "3", "--", "--seeds", "-x");

    assertThat(check.out())
        .contains("IllegalStateException: one|two words|--seeds|-x")
        .contains("--seed random:0 -- one 'two words' --seeds -x");
  }

  // ---- the end of the JVM ----

  @Test
  void systemExitIsAFindingAndNotTheEndOfTheSearch() throws Exception {
    var check = check("void main() {\n  System.exit(0);\n}");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out()).contains("System.exit(0) was called", "ends by returning from main", "Program.java:2");
  }

  @Test
  void anInitializerThatFailsIsAFindingAndNotTheEndOfTheCommand() throws Exception {
    var check =
        check(
            """
            class Settings {
              static int size = read();
              static int read() { throw new AssertionError("no settings"); }
            }
            void main() { System.out.println(Settings.size); }
            """);

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out()).contains("Found: exception", "caused by", "no settings", "Settings.read(Program.java:3)");
    assertThat(check.err()).isEmpty();
  }

  // ---- static state ----

  @Test
  void aStaticFieldThatDecidesWhatHappensIsNamed() throws Exception {
    var check =
        check(
            """
            class Bank {
              static int counter;
              static final int LIMIT = 5;

              static void main() throws Exception {
                if (++counter % 2 == 0) {
                  dev.baton.sync.Semaphore.of(1).withPermit(() -> null);
                }
              }
            }
            """);

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out())
        .contains("Found: not deterministic")
        .contains("The static field Bank.counter was 0 before, 1 after the first run, 2 after the second.")
        .contains("make it an instance field, or set it at the start of main")
        .doesNotContain("LIMIT");
    assertThat(check.err()).isEmpty();
  }

  @Test
  void aStaticFieldThatGrowsIsAWarningAsLongAsTheRunsAreAlike() throws Exception {
    var check = check("static List<String> log = new ArrayList<>();\nvoid main() { log.add(\"run\"); }");

    assertThat(check.exitCode()).isZero();
    assertThat(check.err())
        .contains("warning: The static field Program.log was [] before, [\"run\"] after the first run, [\"run\", \"run\"] after");
  }

  @Test
  void aStaticLockThatADeadlockLeavesLockedIsFreshInTheNextRun() throws Exception {
    var check =
        check(
            CROSSED
                .replace("  Mutex a = new Mutex();\n  Mutex b = new Mutex();\n", "")
                .replace("void main()", "static final Mutex a = new Mutex();\nstatic final Mutex b = new Mutex();\nvoid main()"));

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.out()).contains("Deadlock: 2 tasks wait for each other", "Program.java:16", "Program.java:17");
  }

  @Test
  void aDifferenceWithoutStaticStateSaysWhereElseToLook() throws Exception {
    var check =
        check(
            """
            void main() throws Exception {
              for (long n = System.nanoTime() % 1000; n > 0; n--) {
                dev.baton.sync.Semaphore.of(1).withPermit(() -> null);
              }
            }
            """);

    assertThat(check.out()).contains("Found: not deterministic", "No static field of the program has changed", "the clock of the JDK");
  }

  // ---- pictures ----

  @Test
  void theGraphIsWrittenForGraphvizAndAsAPicture() throws Exception {
    Path dot = directory.resolve("waits.dot");
    Path svg = directory.resolve("waits.svg");

    var check = check(CROSSED, "--dot", dot.toString(), "--svg", svg.toString());

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(dot).content().contains("digraph");
    assertThat(svg).content().contains("<svg");
  }

  @Test
  void withoutAWaitThereIsNoPicture() throws Exception {
    Path svg = directory.resolve("waits.svg");

    var check = check("void main() {}", "--svg", svg.toString());

    assertThat(check.exitCode()).isZero();
    assertThat(check.err()).contains("there is no picture to write");
    assertThat(svg).doesNotExist();
  }

  private InProcess check(String source, String... arguments) throws IOException {
    Path file = Files.writeString(directory.resolve("Program.java"), source);
    String[] all = new String[arguments.length + 2];
    all[0] = "check";
    all[1] = file.toString();
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return InProcess.baton(all);
  }

  private static String withoutCounts(String report) {
    return report.replaceAll("(?m)^Tried .*$", "");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code baton check} as a process: its streams, its exit code, the engine it gets. */
class CheckProcessTest {
  /** Passes on every schedule, and leaves a file behind when it has been run a thousand times. */
  private static final String ENDLESS =
      """
      void main() throws Exception {
        int runs = Integer.getInteger("runs", 0) + 1;
        System.setProperty("runs", String.valueOf(runs));
        if (runs == 1000) {
          java.nio.file.Files.writeString(java.nio.file.Path.of("run-1000"), "");
        }
      }
      """;

  @TempDir
  private Path directory;

  @Test
  void theReportIsAllThatIsPrinted() throws Exception {
    Files.writeString(directory.resolve("Crossed.java"), CheckCommandTest.CROSSED);
    try (var check = new RealProcess(directory, "check", "Crossed.java")) {
      assertThat(check.exitCode()).isEqualTo(1);
      assertThat(check.rest())
          .startsWith("Found: deadlock")
          .anyMatch(line -> line.contains("stepped engine"))
          .last()
          .asString()
          .startsWith("See it again: baton check Crossed.java --seed random:");
      assertThat(check.err()).isEmpty();
    }
  }

  @Test
  void bothEnginesFindTheSame() throws Exception {
    Files.writeString(directory.resolve("Crossed.java"), CheckCommandTest.CROSSED);
    try (var stepped = new RealProcess(directory, "check", "Crossed.java", "--engine", "stepped");
        var portable = new RealProcess(directory, "check", "Crossed.java", "--engine", "portable")) {
      assertThat(stepped.rest().stream().filter(line -> !line.startsWith("Tried")))
          .isEqualTo(portable.rest().stream().filter(line -> !line.startsWith("Tried")).toList());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stepped", "portable"})
  void virtualThreadsThatNoScopeHasStartedRunToo(String engine) throws Exception {
    Files.writeString(directory.resolve("Threads.java"), """
        void main() throws Exception {
          var count = new java.util.concurrent.atomic.AtomicInteger();
          var go = new CountDownLatch(1);
          try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 5; i++) {
              threads.submit(() -> {
                go.await();
                return count.incrementAndGet();
              });
            }
            go.countDown();
          }
          if (count.get() != 5) {
            throw new IllegalStateException("only " + count);
          }
        }
        """);
    try (var check = new RealProcess(directory, "check", "Threads.java", "--seeds", "20", "--engine", engine)) {
      assertThat(check.exitCode()).as(() -> String.join("\n", check.rest())).isZero();
    }
  }

  @Test
  void aProgramThatNeverComesBackDoesNotKeepTheCommand() throws Exception {
    Files.writeString(directory.resolve("Sleeper.java"), "void main() throws Exception { new CountDownLatch(1).await(); }");
    try (var check = new RealProcess(directory, "check", "Sleeper.java", "--engine", "portable")) {
      assertThat(check.exitCode()).isEqualTo(1);
      assertThat(check.rest()).contains("Found: blocked outside of Baton").anyMatch(line -> line.contains("Sleeper.java:1"));
    }
  }

  @Test
  void leasesInMemoryAreCheckedToo() throws Exception {
    Files.writeString(directory.resolve("Exports.java"), """
        import dev.baton.lease.Lease;
        import dev.baton.lease.LeaseSemaphore;
        import dev.baton.lease.Leases;
        import dev.baton.scope.Scope;

        void main() throws Exception {
          try (Leases leases = Leases.inMemory()) {
            LeaseSemaphore first = leases.semaphore("first", 1);
            LeaseSemaphore second = leases.semaphore("second", 1);
            Scope.run(scope -> {
              scope.fork(() -> both(first, second));
              scope.fork(() -> both(second, first));
              scope.join();
            });
          }
        }

        void both(LeaseSemaphore one, LeaseSemaphore other) throws Exception {
          try (Lease held = one.acquire(); Lease wanted = other.acquire()) {}
        }
        """);
    try (var check = new RealProcess(directory, "check", "Exports.java")) {
      assertThat(check.exitCode()).as(check.err()).isEqualTo(1);
      assertThat(check.rest()).startsWith("Found: deadlock");
    }
  }

  @Test
  void theProgramSeesNothingOfTheCommandItself() throws Exception {
    Files.writeString(directory.resolve("Peek.java"), """
        void main() throws Exception {
          Class.forName("picocli.CommandLine");
        }
        """);
    try (var check = new RealProcess(directory, "check", "Peek.java")) {
      assertThat(check.exitCode()).isEqualTo(1);
      assertThat(check.rest()).anyMatch(line -> line.contains("ClassNotFoundException: picocli.CommandLine"));
    }
  }

  @Test
  void aSearchThatIsEndedByASignalTellsHowFarItHasCome() throws Exception {
    Files.writeString(directory.resolve("Long.java"), ENDLESS);
    try (var check = new RealProcess(directory, "check", "Long.java", "--time", "10m")) {
      awaitFile("run-1000");
      check.terminate();
      assertThat(check.exitCode()).isEqualTo(143);
      assertThat(check.rest()).singleElement().asString().matches("Stopped after [1-9][0-9,]* schedules, no failure found\\.");
      assertThat(check.err()).isEmpty();
    }
  }

  @Test
  void aSearchThatIsEndedByASignalSaysSoInJsonToo() throws Exception {
    Files.writeString(directory.resolve("Long.java"), ENDLESS);
    try (var check = new RealProcess(directory, "check", "Long.java", "--time", "10m", "--json")) {
      awaitFile("run-1000");
      check.terminate();
      assertThat(check.exitCode()).isEqualTo(143);
      Object json = JsonReader.read(String.join("\n", check.rest()));
      assertThat(JsonReader.at(json, "result")).isEqualTo("stopped");
      assertThat(JsonReader.at(json, "failure")).isNull();
    }
  }

  @Test
  void aRunThatNeverEndsDoesNotKeepACommandThatIsToEnd() throws Exception {
    Files.writeString(directory.resolve("Busy.java"), """
        void main() throws Exception {
          java.nio.file.Files.writeString(java.nio.file.Path.of("run-1000"), "");
          while (true) {
            Thread.onSpinWait();
          }
        }
        """);
    String told = "Stopped after 0 schedules, no failure found. The last one did not end.";
    try (var check = new RealProcess(directory, "check", "Busy.java")) {
      awaitFile("run-1000");
      check.terminate();
      assertThat(check.exitCode()).isEqualTo(143);
      assertThat(check.rest()).containsExactly(told);
    }
    Files.delete(directory.resolve("run-1000"));
    try (var check = new RealProcess(directory, "check", "Busy.java", "--json")) {
      awaitFile("run-1000");
      check.terminate();
      assertThat(check.exitCode()).isEqualTo(143);
      assertThat(check.rest()).isEmpty();
      assertThat(check.err()).isEqualToNormalizingNewlines(told + "\n");
    }
  }

  @Test
  void aPictureThatCannotBeWrittenIsToldInALine() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "a device that is always full");
    Files.writeString(directory.resolve("Crossed.java"), CheckCommandTest.CROSSED);
    try (var check = new RealProcess(directory, "check", "Crossed.java", "--svg", full.toString())) {
      assertThat(check.exitCode()).isEqualTo(4);
      assertThat(check.err().lines()).singleElement().asString().startsWith("baton check: ").contains("No space left");
      assertThat(check.isAlive()).isFalse();
    }
  }

  private void awaitFile(String name) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    try (WatchService changes = directory.getFileSystem().newWatchService()) {
      WatchKey key = directory.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
      // Looked for once the watch has begun, so that none is missed between.
      while (!Files.exists(directory.resolve(name))) {
        assertThat(changes.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)).as("a file " + name + " within a minute").isNotNull();
        key.pollEvents();
        key.reset();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code baton check} as a process: its streams, its exit code, the engine it gets. */
class CheckProcessTest {
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
}

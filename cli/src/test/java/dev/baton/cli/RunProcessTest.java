// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton run} as a process: it must not be told apart from the program it runs. */
class RunProcessTest {
  @TempDir
  private Path directory;

  @Test
  void theProgramUsesBatonAndItsNormalEndIsZero() throws Exception {
    program("Permits", """
        void main() throws Exception {
          var permits = dev.baton.sync.Semaphore.of(2);
          permits.acquire();
          permits.release();
          IO.println("done");
        }
        """);
    try (var run = new RealProcess(directory, "run", "Permits.java")) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.rest()).containsExactly("done");
      assertThat(run.err()).isEmpty();
    }
  }

  @Test
  void theProgramMayUseEffectsAndLeasesInMemory() throws Exception {
    program("Guide", """
        import dev.baton.effect.Effects;
        import dev.baton.effect.Handlers;
        import dev.baton.lease.Lease;
        import dev.baton.lease.Leases;

        void main() throws Exception {
          try (Leases leases = Leases.inMemory(); Lease lease = leases.semaphore("exports", 3).acquire()) {
            IO.println(Effects.run(() -> "slot " + lease.slotNumber(), Handlers.defaults()).value());
          }
        }
        """);
    try (var run = new RealProcess(directory, "run", "Guide.java")) {
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.rest()).containsExactly("slot 1");
    }
  }

  @Test
  void theProgramSeesNothingOfTheCommandItself() throws Exception {
    program("Peek", """
        void main() {
          try {
            Class.forName("picocli.CommandLine");
          } catch (ClassNotFoundException e) {
            IO.println("only Baton");
          }
        }
        """);
    try (var run = new RealProcess(directory, "run", "Peek.java")) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.rest()).containsExactly("only Baton");
    }
  }

  @Test
  void anExitCodeIsPassedOn() throws Exception {
    program("Three", "void main() { System.exit(3); }");
    try (var run = new RealProcess(directory, "run", "Three.java")) {
      assertThat(run.exitCode()).isEqualTo(3);
    }
  }

  @Test
  void anUncaughtExceptionIsOneAndIsSeen() throws Exception {
    program("Boom", "void main() { throw new IllegalStateException(\"boom\"); }");
    try (var run = new RealProcess(directory, "run", "Boom.java")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("IllegalStateException: boom", "Boom.java:1");
    }
  }

  @Test
  void aCompileErrorLooksAsTheJdkPrintsIt() throws Exception {
    program("Typo", "void main() { int x = \"one\"; }");
    try (var run = new RealProcess(directory, "run", "Typo.java")) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains("Typo.java:1: error: incompatible types", "error: compilation failed");
    }
  }

  @Test
  void everyArgumentAfterTheFileIsTheProgramsOwn() throws Exception {
    program("Echo", "void main(String[] args) { for (var arg : args) IO.println(\"<\" + arg + \">\"); }");
    try (var run =
        new RealProcess(directory, "run", "Echo.java", "--help", "-n", "3", "--", "-V", "@file", "", "two words")) {
      assertThat(run.exitCode()).isZero();
      assertThat(run.rest())
          .containsExactly("<--help>", "<-n>", "<3>", "<-->", "<-V>", "<@file>", "<>", "<two words>");
    }
  }

  @Test
  void standardInputReachesTheProgram() throws Exception {
    program("Upper", "void main() { IO.println(IO.readln().toUpperCase()); }");
    try (var run = new RealProcess(directory, "run", "Upper.java")) {
      run.type("pass it on\n");
      assertThat(run.exitCode()).isZero();
      assertThat(run.rest()).containsExactly("PASS IT ON");
    }
  }

  @Test
  void aTerminatedCommandTakesItsProgramWithIt() throws Exception {
    program("Wait", """
        void main() throws Exception {
          Runtime.getRuntime().addShutdownHook(new Thread(() -> IO.println("clean-up ran")));
          IO.println(ProcessHandle.current().pid());
          new CountDownLatch(1).await();
        }
        """);
    try (var run = new RealProcess(directory, "run", "Wait.java")) {
      long program = Long.parseLong(run.nextLine());

      run.terminate();

      assertThat(run.exitCode()).isEqualTo(128 + 15);
      assertThat(run.rest()).containsExactly("clean-up ran");
      assertThat(ProcessHandle.of(program).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  private void program(String name, String source) throws IOException {
    Files.writeString(directory.resolve(name + ".java"), source);
  }
}

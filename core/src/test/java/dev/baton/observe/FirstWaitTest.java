// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.scope.Scope;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** In JVMs of their own: what the very first wait of one brings with it. */
@Timeout(120)
class FirstWaitTest {
  @TempDir Path folder = Path.of("");

  /** What the other JVM runs: a wait, permits in an object, a scope that fails. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) throws Exception {
      Semaphore semaphore = Semaphore.of(1).named("first");
      Permit permit = semaphore.hold();
      if (semaphore.tryAcquire(Duration.ofMillis(50))) {
        throw new IllegalStateException("It was taken.");
      }
      permit.close();
      try {
        Scope.run(
            scope -> {
              scope.fork(() -> {
                throw new IllegalStateException("expected");
              });
              scope.join();
            });
      } catch (IllegalStateException expected) {
        System.out.println("done: " + expected.getMessage());
      }
    }
  }

  private String run(String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", location(Semaphore.class) + System.getProperty("path.separator") + location(Program.class)));
    command.add(Program.class.getName());
    Path output = Files.createTempFile(folder, "output", ".txt");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    boolean ended = process.waitFor(100, TimeUnit.SECONDS);
    process.destroyForcibly();
    String printed = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(ended && process.exitValue() == 0).as(printed).isTrue();
    assertThat(printed).contains("done: expected");
    return printed;
  }

  private static Path location(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  @Test
  void withoutARecordingNothingOfTheRecorderIsStarted() throws Exception {
    String loaded = run("-Xlog:class+load=info:stdout");
    assertThat(loaded).contains(Semaphore.class.getName()).doesNotContain("jdk.jfr.internal.PlatformRecorder", "WaitEvent", "PermitLeakEvent", "ScopeFailureEvent");
  }

  @Test
  void whereThereIsNoRecorderNothingIsMissed() throws Exception {
    run("--limit-modules", "java.base");
  }

  @Test
  void aRecordingFromTheBeginningHasTheFirstWait() throws Exception {
    Path settings = location(Semaphore.class).resolve("META-INF/jfr/baton.jfc");
    Path recorded = folder.resolve("first.jfr");
    run("-XX:StartFlightRecording:filename=" + recorded + ",settings=" + settings);
    List<String> events =
        RecordingFile.readAllEvents(recorded).stream()
            .filter(event -> event.getEventType().getName().startsWith("dev.baton."))
            .map(event -> event.getEventType().getName() + (event.hasField("kind") ? " of " + event.getString("kind") : ""))
            .toList();
    assertThat(events).containsOnlyOnce("dev.baton.Wait of Semaphore", "dev.baton.ScopeFailure");
  }
}

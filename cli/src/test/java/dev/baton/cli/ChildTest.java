// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ChildTest {
  @Test
  void aChildThatDoesNotEndInTimeIsEndedByForce() throws Exception {
    List<String> command =
        List.of(Child.java(), "-cp", System.getProperty("java.class.path"), Stubborn.class.getName());
    Child child = new Child(command);
    Process process = child.start(new ProcessBuilder(command));
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("ready");

      child.stop(Duration.ofMillis(100));

      assertThat(process.isAlive()).isFalse();
      assertThat(process.exitValue()).isEqualTo(128 + 9);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aStopThatComesFirstForbidsTheStart() {
    Child child = new Child(List.of(Child.java(), "-version"));

    child.stop(Duration.ZERO);

    assertThatThrownBy(() -> child.start(new ProcessBuilder(Child.java(), "-version"))).isInstanceOf(IOException.class);
  }

  @Test
  void aCommandThatCannotBeStartedIsNamed() {
    StringWriter err = new StringWriter();

    int exitCode = new Child(List.of("no-such-command-anywhere")).run(new PrintWriter(err, true));

    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).contains("could not start no-such-command-anywhere");
  }

  /** A program whose shutdown never ends. */
  static final class Stubborn {
    private Stubborn() {}

    public static void main(String[] args) throws InterruptedException {
      CountDownLatch never = new CountDownLatch(1);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        try {
          never.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }));
      System.out.println("ready");
      never.await();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton check --json}, read by a parser that has no part in writing it. */
class CheckJsonTest {
  @TempDir
  private Path directory;

  @Test
  void aDeadlockAsJson() throws Exception {
    Map<String, ?> json = check(CheckCommandTest.CROSSED, 1);

    assertThat(json.keySet())
        .containsExactly("file", "strategy", "engine", "schedules", "complete", "seconds", "result", "failure");
    assertThat(json.get("file")).isEqualTo(directory.resolve("Program.java").toString());
    assertThat(json.get("strategy")).isEqualTo("random");
    assertThat(json.get("result")).isEqualTo("failed");
    Map<?, ?> failure = (Map<?, ?>) json.get("failure");
    assertThat(failure.get("kind")).isEqualTo("deadlock");
    assertThat((String) failure.get("replay")).startsWith("random:");
    assertThat(failure.get("exception")).isNull();
    assertThat(failure.get("output")).isEqualTo("two locks\n");
    Map<?, ?> step = (Map<?, ?>) ((List<?>) failure.get("steps")).getFirst();
    assertThat(step.get("task")).isEqualTo("main");
    assertThat(((Map<?, ?>) step.get("line")).get("file")).isEqualTo("Program.java");
    Map<?, ?> graph = (Map<?, ?>) failure.get("graph");
    assertThat((List<?>) graph.get("waits")).hasSize(3);
    assertThat((List<?>) graph.get("holds")).isNotEmpty();
    assertThat((List<?>) ((List<?>) graph.get("cycles")).getFirst()).hasSize(2);
  }

  @Test
  void aPassAsJson() throws Exception {
    Map<String, ?> json = check("void main() {}", 0);

    assertThat(json.get("result")).isEqualTo("passed");
    assertThat(json.get("schedules")).isEqualTo(1000.0);
    assertThat(json.get("complete")).isEqualTo(false);
    assertThat(json.get("failure")).isNull();
  }

  @Test
  void anExceptionAsJsonIsEscaped() throws Exception {
    Map<String, ?> json = check("void main() { throw new RuntimeException(\"a \\\"b\\\" \\\\ \\n\\t\\u0001 \\u00e4\"); }", 1);

    Map<?, ?> exception = (Map<?, ?>) ((Map<?, ?>) json.get("failure")).get("exception");
    assertThat(exception.get("class")).isEqualTo("java.lang.RuntimeException");
    assertThat(exception.get("message")).isEqualTo("a \"b\" \\ \n\t\u0001 \u00e4");
    assertThat((String) ((List<?>) exception.get("stack")).getFirst()).contains("Program.java:1");
  }

  @Test
  void whateverIsWrittenCanBeRead() {
    StringBuilder every = new StringBuilder();
    for (char c = 0; c < 0x300; c++) {
      every.append(c);
    }
    every.append("\u2028\u2029\ud83d\ude00");
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("\"quoted\"", every.toString());
    value.put("", List.of(List.of(), Map.of(), -1.5, 7L, true, false));
    value.put("null", null);

    Map<?, ?> read = (Map<?, ?>) JsonReader.read(Json.write(value));

    assertThat(read.get("\"quoted\"")).isEqualTo(every.toString());
    assertThat(read.get("")).isEqualTo(List.of(List.of(), Map.of(), -1.5, 7.0, true, false));
    assertThat(read.containsKey("null")).isTrue();
    assertThat(read.get("null")).isNull();
  }

  @Test
  void halfAPairIsEscapedBecauseNoEncodingCanWriteIt() {
    assertThat(Json.write("\ud83d")).isEqualTo("\"\\ud83d\"");
    assertThat(Json.write("\ude00\ud83d\ude00")).isEqualTo("\"\\ude00\ud83d\ude00\"");
  }

  @Test
  void whatJsonHasNoFormForIsRefused() {
    assertThatThrownBy(() -> Json.write(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Json.write(new Object())).isInstanceOf(IllegalArgumentException.class);
  }

  @SuppressWarnings("unchecked")
  private Map<String, ?> check(String source, int exitCode) throws Exception {
    Path file = Files.writeString(directory.resolve("Program.java"), source);
    var check = InProcess.baton("check", "--json", file.toString());
    assertThat(check.exitCode()).as(check.err()).isEqualTo(exitCode);
    assertThat(check.out().lines()).hasSize(1);
    return (Map<String, ?>) JsonReader.read(check.out());
  }
}

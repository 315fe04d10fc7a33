// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton check --json}, read by a parser that has no part in writing it. */
class CheckJsonTest {
  @TempDir
  private Path directory;

  @Test
  void aDeadlockAsJson() throws Exception {
    Object json = check(CheckCommandTest.CROSSED, 1);

    assertThat(json)
        .asInstanceOf(InstanceOfAssertFactories.MAP)
        .containsOnlyKeys("file", "strategy", "engine", "schedules", "operations", "complete", "seconds", "result", "failure")
        .containsEntry("file", directory.resolve("Program.java").toString())
        .containsEntry("strategy", "random")
        .containsEntry("result", "failed");
    assertThat(JsonReader.at(json, "failure", "kind")).isEqualTo("deadlock");
    assertThat(JsonReader.at(json, "failure", "replay")).asString().startsWith("random:");
    assertThat(JsonReader.at(json, "failure", "exception")).isNull();
    assertThat(JsonReader.at(json, "failure", "output")).isEqualTo("two locks\n");
    assertThat(JsonReader.at(json, "failure", "steps", 0, "task")).isEqualTo("main");
    assertThat(JsonReader.at(json, "failure", "steps", 0, "line", "file")).isEqualTo("Program.java");
    assertThat(JsonReader.at(json, "failure", "graph", "waits")).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(3);
    assertThat(JsonReader.at(json, "failure", "graph", "holds")).asInstanceOf(InstanceOfAssertFactories.LIST).isNotEmpty();
    assertThat(JsonReader.at(json, "failure", "graph", "cycles", 0)).asInstanceOf(InstanceOfAssertFactories.LIST).hasSize(2);
  }

  @Test
  void aPassAsJson() throws Exception {
    Object json = check("void main() {}", 0);

    assertThat(JsonReader.at(json, "result")).isEqualTo("passed");
    assertThat(JsonReader.at(json, "schedules")).isEqualTo(1000.0);
    assertThat(JsonReader.at(json, "operations")).isEqualTo(0.0);
    assertThat(JsonReader.at(json, "complete")).isEqualTo(false);
    assertThat(JsonReader.at(json, "failure")).isNull();
  }

  @Test
  void anExceptionAsJsonIsEscaped() throws Exception {
    Object json = check("void main() { throw new RuntimeException(\"a \\\"b\\\" \\\\ \\n\\t\\u0001 \\u00e4\"); }", 1);

    Object exception = JsonReader.at(json, "failure", "exception");
    assertThat(JsonReader.at(exception, "class")).isEqualTo("java.lang.RuntimeException");
    assertThat(JsonReader.at(exception, "message")).isEqualTo("a \"b\" \\ \n\t\u0001 \u00e4");
    assertThat(JsonReader.at(exception, "stack", 0)).asString().contains("Program.java:1");
  }

  @Test
  void anExceptionAsJsonHasItsCause() throws Exception {
    Object json = check("void main() { throw new IllegalStateException(new java.io.IOException(\"lost\")); }", 1);

    Object cause = JsonReader.at(json, "failure", "exception", "cause");
    assertThat(JsonReader.at(cause, "class")).isEqualTo("java.io.IOException");
    assertThat(JsonReader.at(cause, "message")).isEqualTo("lost");
    assertThat(JsonReader.at(cause, "cause")).isNull();
  }

  @Test
  void whateverIsWrittenCanBeRead() {
    StringBuilder every = new StringBuilder();
    for (char c = 0; c < 0x300; c++) {
      every.append(c);
    }
    every.append("\u2028\u2029\ud83d\ude00");
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    value.put("\"quoted\"", every.toString());
    value.put("", List.of(List.of(), Map.of(), -1.5, 7L, true, false));
    value.put("null", null);

    Object read = JsonReader.read(Json.write(value));

    assertThat(JsonReader.at(read, "\"quoted\"")).isEqualTo(every.toString());
    assertThat(JsonReader.at(read, "")).isEqualTo(List.of(List.of(), Map.of(), -1.5, 7.0, true, false));
    assertThat(JsonReader.at(read, "null")).isNull();
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

  private @Nullable Object check(String source, int exitCode) throws Exception {
    Path file = Files.writeString(directory.resolve("Program.java"), source);
    var check = InProcess.baton("check", "--json", file.toString());
    assertThat(check.exitCode()).as(check.err()).isEqualTo(exitCode);
    assertThat(check.out().lines()).hasSize(1);
    return JsonReader.read(check.out());
  }
}

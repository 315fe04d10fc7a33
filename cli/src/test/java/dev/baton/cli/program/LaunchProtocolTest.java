// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file is started as the JDK's own launcher starts it. Each program prints its arguments. */
class LaunchProtocolTest {
  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void main(String[] args) { IO.println(String.join(\",\", args)); }",
        "static void main(String... args) { IO.println(String.join(\",\", args)); }",
        "class Any { public static void main(String[] args) { System.out.println(String.join(\",\", args)); } }",
        "public class OtherName { protected void main(String[] args) { IO.println(String.join(\",\", args)); } }",
        "record Point(int x) { static void main(String[] args) { IO.println(String.join(\",\", args)); } }",
        "enum Colour { RED; static void main(String[] args) { IO.println(String.join(\",\", args)); } }",
        "interface Face { static void main(String[] args) { IO.println(String.join(\",\", args)); } }",
        "class Sub extends Base { } class Base { void main(String[] args) { IO.println(String.join(\",\", args)); } }",
        "class Impl implements Face { } interface Face { default void main(String[] a) { IO.println(String.join(\",\", a)); } }",
        "class Both { void main() { throw new Error(); } void main(String[] args) { IO.println(String.join(\",\", args)); } }",
        "package some.where; class Packed { static void main(String[] args) { IO.println(String.join(\",\", args)); } }",
      })
  void argumentsReach(String source) throws Exception {
    assertThat(printed(source, "a", "b")).isEqualTo("a,b\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void main() { IO.println(\"none\"); }",
        "static void main() { IO.println(\"none\"); }",
        "class First { static void main() { IO.println(\"none\"); } } class Second { static void main() { throw new Error(); } }",
        "sealed interface Shape permits Square {} record Square() implements Shape {} void main() { IO.println(\"none\"); }",
        "String word = \"none\"; void main() { IO.println(word); }",
        "class Outer { class Inner { String s = \"none\"; } void main() { IO.println(new Inner().s); } }",
      })
  void argumentsAreOptional(String source) throws Exception {
    assertThat(printed(source, "ignored")).isEqualTo("none\n");
  }

  @Test
  void everyRunHasAnObjectOfItsOwn() throws Exception {
    LoadedProgram program = load("int count; void main() { IO.println(++count); }");

    assertThat(printed(program)).isEqualTo("1\n");
    assertThat(printed(program)).isEqualTo("1\n");
  }

  @Test
  void otherFilesBesideItAreCompiledWithIt() throws Exception {
    Files.writeString(directory.resolve("Helper.java"), "class Helper { static String word() { return \"helped\"; } }");

    assertThat(printed("void main() { IO.println(Helper.word()); }")).isEqualTo("helped\n");
  }

  @Test
  void theCallerHasTheLoaderOfTheProgramOnlyMeanwhile() throws Exception {
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    String source = "void main() { IO.println(Thread.currentThread().getContextClassLoader() == getClass().getClassLoader()); }";

    assertThat(printed(source)).isEqualTo("true\n");
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(own);
  }

  @Test
  void whatMainThrowsIsThrown() throws Exception {
    LoadedProgram program = load("void main() throws Exception { throw new java.io.IOException(\"lost\"); }");

    assertThatThrownBy(() -> program.main(List.of())).isInstanceOf(java.io.IOException.class).hasMessage("lost");
  }

  @Test
  void whatMainThrowsMayBeNoExceptionAndNoError() throws Exception {
    LoadedProgram program = load("void main() throws Throwable { throw new Throwable(\"odd\"); }");

    assertThatThrownBy(() -> program.main(List.of())).isExactlyInstanceOf(Throwable.class).hasMessage("odd");
  }

  @ParameterizedTest
  @ValueSource(strings = {"int x = 1 / 0;", "{ if (true) throw new AssertionError(); }", "{ System.exit(3); }"})
  void anInitializerThatFailsIsTheErrorOfWhoUsesIt(String initializer) throws Exception {
    LoadedProgram program = load("class Bad { static " + initializer + " static void main() {} }");

    program.initialize();

    assertThatThrownBy(() -> program.main(List.of())).isInstanceOf(LinkageError.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "System.exit(3);",
        "Runtime.getRuntime().exit(3);",
        "Runtime.getRuntime().halt(3);",
        "java.util.function.IntConsumer exit = System::exit; exit.accept(3);",
        "java.util.function.IntConsumer exit = Runtime.getRuntime()::exit; exit.accept(3);",
        "Object o = new Object(); if (o.hashCode() != 0) { o = List.of(); } else { o = \"\"; } System.exit(o == null ? 1 : 3);",
      })
  void whatWouldEndTheJvmIsThrown(String body) throws Exception {
    LoadedProgram program = load("void main() { " + body + " }");

    assertThatThrownBy(() -> program.main(List.of())).isInstanceOf(ProgramExit.class).hasMessageContaining("(3) was called");
  }

  @Test
  void whereARunPrintsIsNothingToTheNext() throws Exception {
    LoadedProgram program =
        load(
            """
            void main() {
              System.out.print("said");
              System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
            }
            """);

    try (KeptOutput output = new KeptOutput()) {
      for (int run = 0; run < 2; run++) {
        output.clear();
        program.main(List.of());
        assertThat(output.text()).isEqualTo("said");
      }
    }
  }

  private String printed(String source, String... arguments) throws Exception {
    return printed(load(source), arguments);
  }

  private static String printed(LoadedProgram program, String... arguments) throws Exception {
    try (KeptOutput output = new KeptOutput()) {
      program.main(List.of(arguments));
      return output.text();
    }
  }

  private LoadedProgram load(String source) throws Exception {
    Path file = Files.writeString(directory.resolve("Program.java"), source);
    StringWriter messages = new StringWriter();
    try {
      return new LoadedProgram(new SourceFile(file, List.of()).compile(new PrintWriter(messages)));
    } catch (NoProgramException e) {
      throw new AssertionError(e.getMessage() + "\n" + messages, e);
    }
  }
}

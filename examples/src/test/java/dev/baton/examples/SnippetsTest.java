// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The check of the documentation is itself checked: it must see every snippet, and fail where one is wrong. */
class SnippetsTest {
  private static final Path PAGE = Path.of("page.md");
  private static final Path SOURCE = Path.of("Type.java");

  @Test
  void aJavaFenceIsFoundWithItsPlace() {
    assertThat(Snippets.inPage(PAGE, "Text\n\n```java\nint x = 1;\nint y = 2;\n```\nmore\n"))
        .containsExactly(new Snippet(PAGE, 4, "", "int x = 1;\nint y = 2;\n"));
  }

  @Test
  void otherFencesAreLeftAlone() {
    assertThat(Snippets.inPage(PAGE, "```\nno\n```\n```bash\nls\n```\n```javascript\nlet x\n```\n")).isEmpty();
  }

  @Test
  void aFenceInAListLosesTheIndentOfTheList() {
    assertThat(Snippets.inPage(PAGE, "- item\n  ```java\n  if (true) {\n    run();\n  }\n  ```\n"))
        .containsExactly(new Snippet(PAGE, 3, "", "if (true) {\n  run();\n}\n"));
  }

  @Test
  void aGivenStandsDirectlyAboveItsFence() {
    assertThat(Snippets.inPage(PAGE, "<!-- given: int x = 1; -->\n```java\nx++;\n```\n<!-- given: no -->\n\n```java\n;\n```\n"))
        .extracting(Snippet::given)
        .containsExactly("int x = 1;", "");
  }

  @Test
  void aGivenMayTakeSeveralLines() {
    assertThat(Snippets.inPage(PAGE, "<!-- given:\nint x = 1;\nint y = 2;\n-->\n```java\nx = y;\n```\n"))
        .extracting(Snippet::given)
        .containsExactly("int x = 1;\nint y = 2;");
  }

  @Test
  void anExcerptIsComparedAndNotCompiled() {
    String page = "<!-- from: examples/A.java -->\n```java\nnotOnItsOwn();\n```\n";

    assertThat(Snippets.inPage(PAGE, page)).isEmpty();
    assertThat(Snippets.excerpts(PAGE, page))
        .containsExactly(new Snippets.Excerpt(Path.of("examples/A.java"), new Snippet(PAGE, 3, "", "notOnItsOwn();\n")));
  }

  @Test
  void aJavadocSnippetLosesItsAsterisksAndKeepsItsBraces() {
    String source = "/**\n * Text.\n *\n * {@snippet :\n * if (true) {\n *   run();\n * }\n * }\n */\nclass Type {}\n";

    assertThat(Snippets.inJavadoc(SOURCE, source)).containsExactly(new Snippet(SOURCE, 5, "", "if (true) {\n  run();\n}"));
  }

  @Test
  void aJavadocSnippetInAnotherLanguageIsLeftAlone() {
    assertThat(Snippets.inJavadoc(SOURCE, "/** {@snippet lang=\"text\" :\n * not java\n * } */")).isEmpty();
  }

  @Test
  void aJavadocSnippetThatPointsElsewhereIsRefused() {
    assertThatThrownBy(() -> Snippets.inJavadoc(SOURCE, "/**\n * {@snippet file=\"Other.java\"} */"))
        .hasMessageContaining("Type.java:2");
  }

  @Test
  void statementsMembersAndFilesCompile() {
    assertThat(errors("", "Semaphore permits = Semaphore.of(2);\npermits.acquire();\npermits.release();\n")).isEmpty();
    assertThat(errors("", "int twice(int x) {\n  return 2 * x;\n}\n")).isEmpty();
    assertThat(errors("", "import java.util.concurrent.Semaphore;\n\nvar theirs = new Semaphore(1, true);\n")).isEmpty();
    assertThat(errors("", "package some.place;\n\npublic class Whole {}\n")).isEmpty();
    assertThat(errors("", "void main() {\n  IO.println(List.of(1));\n}\n")).isEmpty();
  }

  @Test
  void aGivenIsDeclaredBeforeTheSnippet() {
    assertThat(errors("Semaphore permits = Semaphore.of(1);", "permits.close();\n")).isEmpty();
  }

  @Test
  void anErrorNamesFileAndLineAndDoesNotHideTheNext() {
    List<String> errors = new SnippetCompiler().errorsIn(List.of(
        new Snippet(PAGE, 10, "", "int x = 1;\nint y = missing;\n"),
        new Snippet(SOURCE, 20, "", "Semaphore.of(1).nonsense();\n")));

    assertThat(errors).hasSize(2);
    assertThat(errors.get(0)).startsWith("page.md:11: ").contains("missing");
    assertThat(errors.get(1)).startsWith("Type.java:20: ").contains("nonsense");
  }

  @Test
  void whatIsNoJavaIsAnError() {
    assertThat(errors("", "this is not Java\n")).isNotEmpty().allMatch(error -> error.startsWith("page.md:1: "));
  }

  private static List<String> errors(String given, String code) {
    return new SnippetCompiler().errorsIn(List.of(new Snippet(PAGE, 1, given, code)));
  }
}

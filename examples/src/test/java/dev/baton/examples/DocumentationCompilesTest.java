// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every piece of Java in the pages and in the javadoc compiles against the modules of this build. */
class DocumentationCompilesTest {
  private final SnippetCompiler compiler = new SnippetCompiler();

  @Test
  void everySnippetCompiles() throws Exception {
    List<Snippet> snippets = new ArrayList<>();
    for (Path page : Checkout.pages()) {
      snippets.addAll(Snippets.inPage(shown(page), Files.readString(page)));
    }
    for (Path source : Checkout.sources()) {
      snippets.addAll(Snippets.inJavadoc(shown(source), Files.readString(source)));
    }

    assertThat(snippets).as("snippets found").isNotEmpty();
    assertThat(compiler.errorsIn(snippets)).isEmpty();
  }

  @Test
  void whatAPageShowsOfAnExampleIsTheExample() throws Exception {
    for (Path page : Checkout.pages()) {
      for (Snippets.Excerpt excerpt : Snippets.excerpts(shown(page), Files.readString(page))) {
        List<String> example = stripped(Files.readString(Checkout.root().resolve(excerpt.example())));

        assertThat(example)
            .as(excerpt.shown().place(1) + " shows " + excerpt.example())
            .containsSubsequence(stripped(excerpt.shown().code()));
      }
    }
  }

  @Test
  void theReadmeShowsTheHeartOfTheDiningPhilosophersAndTheGuideThatOfFairPermits() throws Exception {
    assertThat(examplesShownIn("README.md")).containsExactly(Path.of("examples/DiningPhilosophers.java"));
    assertThat(examplesShownIn("docs/guide.md")).containsExactly(Path.of("examples/FairPermits.java"));
  }

  private static List<Path> examplesShownIn(String name) throws IOException {
    Path page = Checkout.root().resolve(name);
    return Snippets.excerpts(shown(page), Files.readString(page)).stream().map(Snippets.Excerpt::example).toList();
  }

  /** As a reader names the file, and short enough for a message. */
  private static Path shown(Path file) {
    return Checkout.root().relativize(file);
  }

  private static List<String> stripped(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}

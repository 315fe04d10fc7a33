// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a page links to is there: the file, and the heading in it. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)|src=\"([^\"]+)\"");
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *(`{3,}).*?^ *\\1 *$");
  private static final Pattern FIGURE = Pattern.compile("\\[([\\d.,]+(?:x as fast)?)]\\(docs/benchmarks\\.md#([^)]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

  @Test
  void everyLinkLeadsSomewhere() throws Exception {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Checkout.pages()) {
      for (MatchResult link : LINK.matcher(withoutFences(page)).results().toList()) {
        String target = link.group(1) != null ? link.group(1) : link.group(2);
        if (!target.contains("://")) {
          links++;
          if (!leadsSomewhere(page, target)) {
            broken.add(Checkout.root().relativize(page) + " links to " + target);
          }
        }
      }
    }
    assertThat(links).as("links found").isPositive();
    assertThat(broken).isEmpty();
  }

  @Test
  void everyPageIsListedInTheIndex() throws Exception {
    Path docs = Checkout.root().resolve("docs");
    String index = Files.readString(docs.resolve("README.md"));
    for (Path page : Checkout.pages()) {
      if (docs.equals(page.getParent()) && !page.endsWith("README.md")) {
        assertThat(index).as("docs/README.md").contains("(" + page.getFileName());
      }
    }
  }

  @Test
  void everyBatonEntryOfTheComparisonHasItsProof() throws Exception {
    List<String> rows =
        Files.readString(Checkout.root().resolve("README.md")).lines()
            .dropWhile(line -> !line.startsWith("| | JDK"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();

    assertThat(rows).isNotEmpty().allSatisfy(row -> {
      String ours = row.substring(row.lastIndexOf('|', row.length() - 2));
      assertThat(ours).containsPattern("\\]\\((docs/benchmarks\\.md#|[a-z-]+/src/test/java/)");
    });
  }

  /** A figure that links to a section of the benchmarks stands in a table there. */
  @Test
  void theFiguresOfTheReadmeAreThoseOfTheBenchmarks() throws Exception {
    String readme = Files.readString(Checkout.root().resolve("README.md"));
    String benchmarks = Files.readString(Checkout.root().resolve("docs/benchmarks.md"));
    List<MatchResult> figures = FIGURE.matcher(readme).results().toList();
    assertThat(figures).isNotEmpty();
    for (MatchResult figure : figures) {
      assertThat(section(benchmarks, figure.group(2))).as("docs/benchmarks.md#" + figure.group(2)).contains(" " + figure.group(1) + " ");
    }
  }

  private static String section(String page, String anchor) {
    Matcher heading = HEADING.matcher(page);
    while (heading.find()) {
      if (anchor(heading.group(1)).equals(anchor)) {
        int end = page.indexOf("\n#", heading.end());
        return page.substring(heading.end(), end < 0 ? page.length() : end);
      }
    }
    throw new AssertionError("no section " + anchor);
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path there = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!Files.exists(there)) {
      return false;
    }
    return hash < 0 || anchors(there).contains(target.substring(hash + 1));
  }

  /** As GitHub makes them: letters, digits, hyphens and underscores in lower case, a hyphen for a blank, a number for a repetition. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    for (MatchResult heading : HEADING.matcher(withoutFences(page)).results().toList()) {
      String base = anchor(heading.group(1));
      String anchor = base;
      for (int n = 1; !anchors.add(anchor); n++) {
        anchor = base + "-" + n;
      }
    }
    return anchors;
  }

  private static String anchor(String heading) {
    return heading.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
  }

  private static String withoutFences(Path page) throws IOException {
    return FENCE.matcher(Files.readString(page)).replaceAll("");
  }
}

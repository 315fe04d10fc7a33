// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is said in several places about which modules are published is the same in all of them. */
class PublishedModulesTest {
  /** Published, but nobody compiles against them. */
  private static final Set<String> COMMANDS = Set.of("cli", "cli-redis");

  private static final String SKIPS_REPOSITORIES = "<maven.deploy.skip>true</maven.deploy.skip>";
  private static final String SKIPS_THE_GATE = "<japicmp.skip>true</japicmp.skip>";

  private static String read(String file) throws Exception {
    return Files.readString(Checkout.root().resolve(file));
  }

  private static Set<String> all(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Those that a program may depend on. */
  private static Set<String> libraries() throws Exception {
    return all("<artifactId>baton-([\\w-]+)</artifactId>", read("bom/pom.xml").replaceFirst("<artifactId>baton-bom", ""))
        .stream()
        .filter(module -> !module.equals("parent"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> modules() throws Exception {
    Set<String> modules = all("<module>([\\w-]+)</module>", read("pom.xml"));
    modules.remove("bom");
    return modules;
  }

  private static Set<String> unpublished() throws Exception {
    Set<String> unpublished = new TreeSet<>(modules());
    unpublished.removeAll(libraries());
    unpublished.removeAll(COMMANDS);
    return unpublished;
  }

  @Test
  void thereAreSome() throws Exception {
    assertThat(libraries()).contains("core", "lease-redis").hasSizeGreaterThan(5);
    assertThat(modules()).containsAll(libraries()).containsAll(COMMANDS);
    assertThat(unpublished()).contains("bench", "verify");
  }

  @Test
  void theBillOfMaterialsLeavesOutWhatIsNotPublished() throws Exception {
    Matcher excluded = Pattern.compile("<excludeArtifactId>(.*?)</excludeArtifactId>", Pattern.DOTALL).matcher(read("pom.xml"));
    assertThat(excluded.find()).isTrue();
    assertThat(all("<artifactId>baton-([\\w-]+)</artifactId>", excluded.group(1))).isEqualTo(unpublished());
  }

  @Test
  void whatIsNotPublishedIsNotPutIntoRepositories() throws Exception {
    for (String module : modules()) {
      assertThat(read(module + "/pom.xml").contains(SKIPS_REPOSITORIES)).as(module).isEqualTo(unpublished().contains(module));
    }
  }

  @Test
  void theGateComparesTheLibrariesAndNothingElse() throws Exception {
    for (String module : modules()) {
      assertThat(read(module + "/pom.xml").contains(SKIPS_THE_GATE)).as(module).isNotEqualTo(libraries().contains(module));
    }
    Matcher collected = Pattern.compile("for module in ([\\w -]+); do").matcher(read(".ci/api-old"));
    assertThat(collected.find()).isTrue();
    assertThat(List.of(collected.group(1).split(" "))).containsExactlyInAnyOrderElementsOf(libraries());
  }

  @Test
  void theTableOfStabilityHasThemAll() throws Exception {
    String page = read("docs/stability.md");
    for (String library : libraries()) {
      assertThat(page).contains("| `baton-" + library + "` |");
    }
  }

  @Test
  void theExportsOfEachStandInThatTableOrAreForBatonAlone() throws Exception {
    String page = read("docs/stability.md");
    for (String library : libraries()) {
      Path descriptor = Checkout.root().resolve(library).resolve("src/main/module/module-info.java");
      for (String exported : all("exports ([\\w.]+);", Files.readString(descriptor))) {
        String last = exported.substring(exported.lastIndexOf('.'));
        assertThat(page).as(exported).containsAnyOf("`" + exported + "`", "`" + last + "`");
      }
    }
  }
}

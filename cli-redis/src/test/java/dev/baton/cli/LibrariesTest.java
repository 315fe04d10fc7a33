// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the build lays beside the command for the script, and what the tests run on, is the same. */
class LibrariesTest {
  private static final Pattern CLIENT = Pattern.compile("(lettuce-core|netty-|reactor-|reactive-streams|redis-authx).*");
  private static final Pattern COPIED =
      Pattern.compile("<artifactItem>\\s*<groupId>[^<]*</groupId>\\s*<artifactId>([^<]*)</artifactId>\\s*(?:<version>([^<]*)<)?");
  private static final Pattern NETTY = Pattern.compile("<netty.version>([^<]*)<");

  @Test
  void everyLibraryOfTheClientIsCopiedInItsVersion() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    String netty = NETTY.matcher(pom).results().findFirst().orElseThrow().group(1);
    Set<String> copied =
        COPIED.matcher(pom).results()
            .filter(item -> CLIENT.matcher(item.group(1)).matches() && item.group(2) != null)
            .map(item -> item.group(1) + "-" + item.group(2).replace("${netty.version}", netty) + ".jar")
            .collect(Collectors.toSet());
    Set<String> used =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(path -> String.valueOf(Path.of(path).getFileName()))
            .filter(CLIENT.asMatchPredicate())
            .filter(name -> !name.startsWith("lettuce-core")) // its version is that of all modules
            .collect(Collectors.toSet());

    assertThat(copied).isEqualTo(used).hasSizeGreaterThan(5);
  }

  /** The client cannot connect without them, and does not ask for them: a command that has none ends with a missing class. */
  @Test
  void theLogOfTheClientIsCopiedToo() throws IOException {
    assertThat(COPIED.matcher(Files.readString(Path.of("pom.xml"))).results().map(item -> item.group(1)))
        .contains("slf4j-api", "slf4j-nop");
  }
}

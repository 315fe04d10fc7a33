// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that the tests are part of. */
final class Project {
  private Project() {}

  /** The directory that holds the modules, found upwards from where the tests run. */
  static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("core/pom.xml"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("not inside a checkout: " + Path.of("").toAbsolutePath());
      }
    }
    return directory;
  }
}

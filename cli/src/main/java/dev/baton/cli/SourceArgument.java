// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.check.Check;
import dev.baton.effect.Effects;
import dev.baton.lease.Leases;
import dev.baton.sync.Semaphore;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The single-file program that a command is given. */
final class SourceArgument {
  private SourceArgument() {}

  /**
   * Refuses what cannot be a program, before anything is started.
   *
   * @throws ParameterException if {@code file} is missing, a directory, not a source file or not readable
   */
  static void refuseUnusable(CommandLine command, Path file) {
    if (file.toString().isEmpty()) {
      throw new ParameterException(command, "FILE.java is empty\n  Expected: the name of one Java source file with a main method.");
    }
    if (Files.isDirectory(file)) {
      throw unusable(command, file, "is a directory", "Name the file in it that has the main method.");
    }
    if (!file.toString().endsWith(".java")) {
      throw unusable(
          command, file, "is not a .java file", "Give the source of the program, not a class, a jar or its name alone.");
    }
    if (!Files.exists(file)) {
      throw unusable(
          command, file, "does not exist", "Check the name, seen from " + Path.of("").toAbsolutePath() + ".");
    }
    if (!Files.isReadable(file)) {
      throw unusable(command, file, "cannot be read", "Check its permissions, and those of the directories above it.");
    }
  }

  private static ParameterException unusable(CommandLine command, Path file, String what, String remedy) {
    return new ParameterException(
        command, file + " " + what + "\n  Expected: one Java source file with a main method.\n  " + remedy);
  }

  /** What programs are compiled and run against: the very Baton this command was built with. */
  static List<Path> classPath() {
    return List.of(placeOf(Semaphore.class), placeOf(Check.class), placeOf(Effects.class), placeOf(Leases.class));
  }

  private static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the place of " + type.getName() + " on the class path is not a file", e);
    }
  }
}

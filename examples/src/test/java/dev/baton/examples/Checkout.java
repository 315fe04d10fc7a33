// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import dev.baton.check.Check;
import dev.baton.effect.Effects;
import dev.baton.junit.CheckedTest;
import dev.baton.lease.Leases;
import dev.baton.lease.redis.RedisLeases;
import dev.baton.micrometer.BatonMetrics;
import dev.baton.sync.Semaphore;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The files of the project around this module. */
final class Checkout {
  private Checkout() {}

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

  /** Where the core that these tests run against was loaded from. */
  static Path core() {
    return placeOf(Semaphore.class);
  }

  /** What single-file programs get: core, runtime and effects. */
  static String programClassPath() {
    return String.join(
        File.pathSeparator, core().toString(), placeOf(Check.class).toString(), placeOf(Effects.class).toString());
  }

  /** What the documentation speaks of: everything that users can depend on. */
  static String documentedClassPath() {
    return String.join(
        File.pathSeparator,
        programClassPath(),
        placeOf(CheckedTest.class).toString(),
        placeOf(Leases.class).toString(),
        placeOf(RedisLeases.class).toString(),
        placeOf(RedisClient.class).toString(),
        placeOf(BatonMetrics.class).toString(),
        placeOf(MeterRegistry.class).toString(),
        placeOf(Test.class).toString());
  }

  private static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<Path> examples() throws IOException {
    try (var files = Files.list(root().resolve("examples"))) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  /** The pages people read: those at the root and all under docs. */
  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (var files = Files.list(root())) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    pages.addAll(filesUnder(root().resolve("docs"), file -> file.toString().endsWith(".md")));
    return pages;
  }

  /** The published sources of every module. */
  static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (var modules = Files.list(root())) {
      for (Path module : modules.sorted().toList()) {
        sources.addAll(filesUnder(module.resolve("src/main/java"), file -> file.toString().endsWith(".java")));
      }
    }
    return sources;
  }

  private static List<Path> filesUnder(Path directory, Predicate<Path> wanted) throws IOException {
    List<Path> found = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      Files.walkFileTree(directory, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          if (wanted.test(file)) {
            found.add(file);
          }
          return FileVisitResult.CONTINUE;
        }
      });
    }
    found.sort(null);
    return found;
  }
}

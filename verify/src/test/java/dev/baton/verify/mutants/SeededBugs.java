// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * For each patch in {@code verify/mutants}: copies the sources of core, applies it, compiles, and runs the tests it names
 * with the mutated classes first on the class path. Each of them has to fail. Not part of the normal build: run by
 * {@code verify/mutants/run}.
 *
 * <p>A patch begins with a line {@code Bug:} and one or more lines {@code Caught by:}, each with a test method as
 * {@code package.Class#method} below {@code dev.baton.verify}, or {@code jcstress Class}.
 */
class SeededBugs {
  private static final Path MODULE = Path.of("").toAbsolutePath();
  private static final Path CORE = MODULE.resolveSibling("core").resolve("src/main/java");
  private static final Path WORK = MODULE.resolve("target/mutants");

  /** A test must come to its own end within this; one that has to be stopped has caught nothing. */
  private static final long MINUTES = 4;

  @TestFactory
  Stream<DynamicTest> everySeededBugIsCaught() throws IOException {
    String only = System.getProperty("baton.mutant", "");
    try (Stream<Path> files = Files.list(MODULE.resolve("mutants"))) {
      return files
          .filter(f -> f.toString().endsWith(".patch") && f.getFileName().toString().startsWith(only))
          .sorted()
          .toList()
          .stream()
          .map(patch -> DynamicTest.dynamicTest(name(patch), () -> requireCaught(patch)));
    }
  }

  private static void requireCaught(Path patch) throws IOException, InterruptedException {
    List<String> header = Files.readAllLines(patch);
    String bug = header.stream().filter(l -> l.startsWith("Bug: ")).findFirst().orElseThrow().substring(5);
    List<String> tests =
        header.stream().filter(l -> l.startsWith("Caught by: ")).map(l -> l.substring(11)).toList();
    assertThat(tests).as("tests named in %s", patch).isNotEmpty();
    Path classes = mutate(patch);
    List<String> survivedIn = new ArrayList<>();
    for (String test : tests) {
      long start = System.nanoTime();
      boolean caught = fails(test, classes, WORK.resolve(name(patch)));
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      System.out.printf("%-8s  %s  by %s (%d s): %s%n", caught ? "CAUGHT" : "SURVIVED", name(patch), test, seconds, bug);
      if (!caught) {
        survivedIn.add(test);
      }
    }
    assertThat(survivedIn).as("tests that did not notice: %s", bug).isEmpty();
  }

  private static Path mutate(Path patch) throws IOException, InterruptedException {
    Path work = WORK.resolve(name(patch));
    deleteTree(work);
    Path sources = work.resolve("src");
    copyTree(CORE, sources);
    int status = run(work, "patch.log", List.of("patch", "-p1", "--fuzz=0", "-d", sources + "", "-i", patch + ""));
    assertThat(status).as("%s applies to the present sources: %s", patch, work.resolve("patch.log")).isZero();
    Path classes = Files.createDirectories(work.resolve("classes"));
    List<String> arguments =
        new ArrayList<>(List.of("-d", classes + "", "-cp", System.getProperty("java.class.path"), "-proc:none"));
    try (Stream<Path> files = Files.walk(sources)) {
      files.filter(f -> f.toString().endsWith(".java")).forEach(f -> arguments.add(f.toString()));
    }
    int errors = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
    assertThat(errors).as("errors in the sources with %s", patch).isZero();
    return classes;
  }

  private static boolean fails(String test, Path classes, Path work) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String classPath = classes + System.getProperty("path.separator") + System.getProperty("java.class.path");
    List<String> command = new ArrayList<>(List.of(java + "", "-XX:+EnableDynamicAgentLoading", "-cp", classPath));
    if (test.startsWith("jcstress ")) {
      command.addAll(List.of("org.openjdk.jcstress.Main", "-m", "quick", "-c", "2", "-f", "1"));
      command.addAll(List.of("-t", test.substring(9), "-r", work.resolve("jcstress") + ""));
    } else {
      command.addAll(List.of(RunTest.class.getName(), "dev.baton.verify." + test));
    }
    String log = test.replaceAll("[^A-Za-z.]", "-") + ".log";
    int status = run(work, log, command);
    assertThat(status).as("%s could be run: %s", test, work.resolve(log)).isBetween(0, 1);
    return status == 1;
  }

  /** The exit status; a process that has to be stopped counts as 0: nothing was noticed. */
  private static int run(Path work, String log, List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(work.resolve(log).toFile())
            .start();
    if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      return 0;
    }
    return process.exitValue();
  }

  private static String name(Path patch) {
    return patch.getFileName().toString().replace(".patch", "");
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }

  private static void deleteTree(Path tree) throws IOException {
    if (Files.exists(tree)) {
      try (Stream<Path> files = Files.walk(tree)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}

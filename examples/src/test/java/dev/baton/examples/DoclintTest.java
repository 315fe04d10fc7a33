// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The javadoc of what users can see is there, whole and well formed, as far as the compiler's doclint can tell: every parameter, result and
 * checked exception has its tag.
 */
class DoclintTest {
  private static final List<String> MODULES = List.of("core", "runtime", "junit", "effect", "lease", "lease-redis", "micrometer");
  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");

  @Test
  void thePublicApiIsDocumented() throws Exception {
    List<Path> sources = new ArrayList<>();
    List<String> packages = new ArrayList<>();
    for (String module : MODULES) {
      Path main = Checkout.root().resolve(module).resolve("src/main");
      String exports = Files.readString(main.resolve("module/module-info.java"));
      EXPORT.matcher(exports).results().forEach(exported -> packages.add(exported.group(1)));
      try (Stream<Path> files = Files.walk(main.resolve("java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    assertThat(packages).hasSizeGreaterThan(10);

    assertThat(reported(sources, packages)).isEmpty();
  }

  @Test
  void whatIsWrongIsReported(@TempDir Path directory) throws Exception {
    Path source = Files.writeString(directory.resolve("Wrong.java"), """
        package wrong;
        /** Links to {@link Nowhere}. */
        public class Wrong {
          public void silent() {}
          /** Says little. */
          public int scant(int number) throws Exception { return number; }
        }
        """);

    assertThat(reported(List.of(source), List.of("wrong")))
        .anyMatch(line -> line.contains("reference not found"))
        .anyMatch(line -> line.contains("Wrong.java:4: no comment"))
        .anyMatch(line -> line.contains("Wrong.java:6: no @param for number"))
        .anyMatch(line -> line.contains("Wrong.java:6: no @return"))
        .anyMatch(line -> line.contains("Wrong.java:6: no @throws"));
  }

  private static List<String> reported(List<Path> sources, List<String> packages) throws Exception {
    var javac = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<String> options = List.of(
        "-proc:none", "-implicit:none", "-Xmaxwarns", "10000", "-Xmaxerrs", "10000", "-cp", System.getProperty("java.class.path"),
        "-Xdoclint:all/protected", "-Xdoclint/package:" + String.join(",", packages));
    try (var files = javac.getStandardFileManager(diagnostics, Locale.ROOT, null)) {
      var task = (JavacTask) javac.getTask(null, files, diagnostics, options, null, files.getJavaFileObjectsFromPaths(sources));
      task.analyze();
    }
    return diagnostics.getDiagnostics().stream()
        .filter(found -> found.getCode().startsWith("compiler.err") || found.getCode().contains("proc.messager"))
        .map(DoclintTest::described)
        .toList();
  }

  private static String described(Diagnostic<? extends JavaFileObject> found) {
    String file = found.getSource() == null ? "?" : Path.of(found.getSource().toUri()).getFileName().toString();
    return file + ":" + found.getLineNumber() + ": " + found.getMessage(Locale.ROOT);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static java.util.stream.Collectors.joining;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles snippets against Baton, all in one go, and names the file and line of what does not compile.
 *
 * <p>A snippet is a few statements, or members of a class, or a whole file: whichever it parses as. Statements stand in a
 * method that may throw anything. Whatever is put around the code goes on the line before its first, so that line numbers
 * need no table.
 */
final class SnippetCompiler {
  private static final Pattern IMPORT = Pattern.compile("^import [^;]+;", Pattern.MULTILINE);
  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile("^public (?:(?:final|abstract|sealed) )*(?:class|interface|record|enum) (\\w+)", Pattern.MULTILINE);

  /** The modules whose types a snippet need not import. */
  private static final List<String> MODULES = List.of("core", "runtime", "junit", "lease", "lease-redis", "micrometer");

  private final JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
  private final List<String> usualImports = usualImports();

  /** Some of these are called as others are: they are imported where effects are spoken of. */
  private final List<String> effectImports = importsOf("effect");

  /** One line for each error, with the place in the documentation; empty when all is well. */
  List<String> errorsIn(List<Snippet> snippets) {
    if (snippets.isEmpty()) {
      return List.of(); // javac refuses to compile nothing
    }
    List<Source> sources = new ArrayList<>();
    for (Snippet snippet : snippets) {
      sources.add(asWhatItParses(snippet, "snippet" + sources.size()));
    }
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try {
      task(sources, diagnostics).analyze();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return diagnostics.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(SnippetCompiler::describe)
        .toList();
  }

  private Source asWhatItParses(Snippet snippet, String name) {
    Source statements = inClass(snippet, name, "void snippet() throws Exception { ", " }");
    return Stream.of(statements, inClass(snippet, name, "", ""), asFile(snippet))
        .filter(this::parses)
        .findFirst()
        .orElse(statements);
  }

  private boolean parses(Source source) {
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try {
      task(List.of(source), diagnostics).parse();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return diagnostics.getDiagnostics().stream().noneMatch(found -> found.getKind() == Diagnostic.Kind.ERROR);
  }

  private Source inClass(Snippet snippet, String name, String before, String after) {
    List<String> own = IMPORT.matcher(snippet.code()).results().map(found -> found.group()).toList();
    List<String> nearer = new ArrayList<>(own);
    if (snippet.file().toString().contains("effect")) {
      effectImports.stream().filter(one -> !clash(one, own)).forEach(nearer::add);
    }
    String imports = Stream.concat(usualImports.stream().filter(usual -> !clash(usual, nearer)), nearer.stream())
        .distinct()
        .collect(joining(" "));
    String code = IMPORT.matcher(snippet.code()).replaceAll("");
    String given = snippet.given().replace('\n', ' ');
    String head = "package " + name + "; " + imports + " class Snippet { " + before + given + "\n";
    return new Source(snippet, name + "/Snippet", head + code + "\n" + after + " }", 1);
  }

  private static Source asFile(Snippet snippet) {
    Matcher type = PUBLIC_TYPE.matcher(snippet.code());
    return new Source(snippet, type.find() ? type.group(1) : "Main", snippet.code(), 0);
  }

  /** Whether a snippet imports another type of the same simple name itself. */
  private static boolean clash(String usual, List<String> own) {
    return own.stream().anyMatch(one -> simpleName(one).equals(simpleName(usual)) && !simpleName(one).equals("*;"));
  }

  private static String simpleName(String imported) {
    return imported.substring(imported.lastIndexOf('.') + 1);
  }

  /** Baton's own types by name, so that they win over those of java.util.concurrent. */
  private static List<String> usualImports() {
    List<String> imports = new ArrayList<>(List.of(
        "import java.time.*;", "import java.util.*;", "import java.util.concurrent.*;", "import java.util.function.*;"));
    for (String module : MODULES) {
      imports.addAll(importsOf(module));
    }
    return imports;
  }

  private static List<String> importsOf(String module) {
    return exportedTypes(Checkout.root().resolve(module).resolve("src/main")).stream()
        .map(type -> "import " + type + ";")
        .toList();
  }

  private static List<String> exportedTypes(Path sources) {
    List<String> types = new ArrayList<>();
    try {
      String module = Files.readString(sources.resolve("module/module-info.java"));
      for (String exported : EXPORT.matcher(module).results().map(found -> found.group(1)).toList()) {
        try (Stream<Path> files = Files.list(sources.resolve("java").resolve(exported.replace('.', '/')))) {
          files.map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .map(name -> exported + "." + name.replace(".java", ""))
              .filter(SnippetCompiler::isPublicType)
              .sorted()
              .forEach(types::add);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return types;
  }

  private static boolean isPublicType(String name) {
    try {
      return !name.endsWith("package-info") && Modifier.isPublic(Class.forName(name).getModifiers());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a source without its class; is its module compiled?", e);
    }
  }

  private JavacTask task(List<Source> sources, DiagnosticCollector<JavaFileObject> diagnostics) {
    List<String> options = List.of("-cp", Checkout.documentedClassPath(), "-proc:none", "-implicit:none", "-Xmaxerrs", "1000");
    return (JavacTask) javac.getTask(null, null, diagnostics, options, null, sources);
  }

  private static String describe(Diagnostic<? extends JavaFileObject> diagnostic) {
    String message = diagnostic.getMessage(null).replace('\n', ' ');
    return diagnostic.getSource() instanceof Source source
        ? source.snippet.place(diagnostic.getLineNumber() - source.linesBefore) + ": " + message
        : message;
  }

  /** A snippet as javac gets it. */
  private static final class Source extends SimpleJavaFileObject {
    private final Snippet snippet;
    private final String text;
    private final int linesBefore;

    Source(Snippet snippet, String name, String text, int linesBefore) {
      super(URI.create("string:///" + name + Kind.SOURCE.extension), Kind.SOURCE);
      this.snippet = snippet;
      this.text = text;
      this.linesBefore = linesBefore;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}

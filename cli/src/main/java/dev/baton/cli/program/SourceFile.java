// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.tools.ForwardingJavaFileObject;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** A Java source file that is compiled as the JDK's own launcher does: in memory, and whatever its name is. */
public final class SourceFile {
  private final Path file;
  private final List<Path> classPath;
  private final JavaCompiler javac = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "this Java has no compiler");

  /** The program in {@code file}, to be compiled against {@code classPath}. */
  public SourceFile(Path file, List<Path> classPath) {
    this.file = file;
    this.classPath = List.copyOf(classPath);
  }

  /**
   * What came of a compilation.
   *
   * @param mainClass the binary name of the first class of the file
   * @param classes all classes by their binary names
   */
  public record Compiled(String mainClass, Map<String, byte[]> classes) {}

  /**
   * Compiles the file, and those beside it that it uses. What javac has to say goes to {@code messages}, as javac says it.
   *
   * @throws NoProgramException if there are errors, or there is no class in it
   */
  public Compiled compile(PrintWriter messages) throws IOException, NoProgramException {
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      JavaFileObject source = new AnyName(files.getJavaFileObjects(file).iterator().next());
      CompilationUnitTree unit = parse(files, source);
      MemoryFiles outputs = new MemoryFiles(files);
      List<String> options = new ArrayList<>(List.of("-proc:none", "-Xdiags:verbose", "-implicit:class", "-nowarn"));
      options.addAll(List.of("-cp", join(classPath), "-sourcepath", sourceRoot(unit).toString()));
      boolean right = javac.getTask(messages, outputs, null, options, null, List.of(source)).call();
      messages.flush();
      if (!right) {
        throw new NoProgramException("the file does not compile", "Mend what javac has said above.");
      }
      String main = mainClass(unit, outputs);
      if (main == null) {
        throw new NoProgramException("there is no class and no method in the file", "Write a method main into it.");
      }
      return new Compiled(main, outputs.classes());
    }
  }

  /** Looks at the file without complaining: what is wrong with it is said when it is compiled. */
  private CompilationUnitTree parse(StandardJavaFileManager files, JavaFileObject source) throws IOException {
    JavacTask task = (JavacTask) javac.getTask(null, files, diagnostic -> {}, List.of("-proc:none"), null, List.of(source));
    return task.parse().iterator().next();
  }

  /** The directory above the packages, where other files of the program are looked for. */
  private Path sourceRoot(CompilationUnitTree unit) {
    Path root = Objects.requireNonNull(file.toAbsolutePath().getParent());
    ExpressionTree name = unit.getPackageName();
    if (name != null) {
      for (int parts = name.toString().split("\\.").length; parts > 0 && root.getParent() != null; parts--) {
        root = root.getParent();
      }
    }
    return root;
  }

  private @Nullable String mainClass(CompilationUnitTree unit, MemoryFiles outputs) {
    String inPackage = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
    for (Tree declared : unit.getTypeDecls()) {
      if (declared instanceof ClassTree type) {
        String name = inPackage + type.getSimpleName();
        if (outputs.classes().containsKey(name)) {
          return name;
        }
      }
    }
    return null;
  }

  private static String join(List<Path> paths) {
    return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** A public class may stand in a file of another name, as with the JDK's launcher. */
  private static final class AnyName extends ForwardingJavaFileObject<JavaFileObject> {
    AnyName(JavaFileObject file) {
      super(file);
    }

    @Override
    public boolean isNameCompatible(String simpleName, Kind kind) {
      return kind == Kind.SOURCE;
    }
  }
}

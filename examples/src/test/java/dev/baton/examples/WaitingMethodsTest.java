// SPDX-License-Identifier: Apache-2.0
package dev.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The javadoc of every public method that waits says what is true when the wait is cancelled. */
class WaitingMethodsTest {
  private static final List<String> MODULES = List.of("core", "runtime", "effect", "lease", "lease-redis", "micrometer");
  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");
  private static final Pattern SAID = Pattern.compile("interrupt|cancel|cut short|ends early", Pattern.CASE_INSENSITIVE);

  @Test
  void everyWaitSaysWhatCancellingItLeaves() throws Exception {
    List<String> silent = new ArrayList<>();
    int[] waiting = {0};
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    try (var files = javac.getStandardFileManager(null, null, null)) {
      var task = (JavacTask) javac.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources()));
      Iterable<? extends CompilationUnitTree> units = task.parse();
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : units) {
        new TreePathScanner<@Nullable Void, @Nullable Void>() {
          @Override
          public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            if (isPublic(getCurrentPath()) && waits(method)) {
              waiting[0]++;
              String said = docs.getDocComment(getCurrentPath());
              boolean inherited = said == null && method.getModifiers().getAnnotations().toString().contains("Override");
              if (!inherited && (said == null || !SAID.matcher(said).find())) {
                silent.add(Path.of(unit.getSourceFile().toUri()).getFileName() + ": " + method.getName() + method.getParameters());
              }
            }
            return null; // what stands inside of a method is not public
          }
        }.scan(unit, null);
      }
    }
    assertThat(waiting[0]).as("methods that wait").isGreaterThan(100);
    assertThat(silent).isEmpty();
  }

  /** By an interrupt, by a future, or, uninterruptibly, not at all. */
  private static boolean waits(MethodTree method) {
    String name = method.getName().toString();
    return method.getThrows().stream().map(ExpressionTree::toString).anyMatch("InterruptedException"::equals)
        || (name.endsWith("Async") && String.valueOf(method.getReturnType()).startsWith("CompletableFuture"))
        || name.endsWith("Uninterruptibly");
  }

  /** Whether users can call it: it and all types around it are public; members of interfaces are. */
  private static boolean isPublic(TreePath path) {
    for (TreePath at = path; at != null && !(at.getLeaf() instanceof CompilationUnitTree); at = at.getParentPath()) {
      boolean inInterface = at.getParentPath().getLeaf().getKind() == Tree.Kind.INTERFACE;
      boolean is =
          switch (at.getLeaf()) {
            case MethodTree method -> has(Modifier.PUBLIC, method) || (inInterface && !has(Modifier.PRIVATE, method));
            case ClassTree type -> type.getModifiers().getFlags().contains(Modifier.PUBLIC) || inInterface;
            default -> false;
          };
      if (!is) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(Modifier modifier, MethodTree method) {
    return method.getModifiers().getFlags().contains(modifier);
  }

  private static List<Path> sources() throws Exception {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      Path main = Checkout.root().resolve(module).resolve("src/main");
      String exports = Files.readString(main.resolve("module/module-info.java"));
      for (MatchResult exported : EXPORT.matcher(exports).results().toList()) {
        try (Stream<Path> files = Files.list(main.resolve("java").resolve(exported.group(1).replace('.', '/')))) {
          files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
        }
      }
    }
    return sources;
  }
}

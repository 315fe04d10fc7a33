// SPDX-License-Identifier: Apache-2.0
package dev.baton.junit;

import dev.baton.check.Program;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExecutableInvoker;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/** One run of a test: a new instance, the methods before, the test itself, the methods after. */
final class TestBody implements Program {
  private final ExecutableInvoker invoker;
  private final Method method;
  private final Object[] arguments;

  /** What JUnit made: for a test in a nested class, the outermost one first. */
  private final List<Object> made;

  /** How many of those are there for all schedules, the outermost first. */
  private final int kept;

  private final List<List<Method>> before = new ArrayList<>();
  private final List<List<Method>> after = new ArrayList<>();

  TestBody(ExtensionContext context, ReflectiveInvocationContext<Method> called) {
    this.invoker = context.getExecutableInvoker();
    this.method = called.getExecutable();
    this.arguments = called.getArguments().toArray();
    this.made = context.getRequiredTestInstances().getAllInstances();
    this.kept = kept(context, made.size());
    for (Object instance : made) {
      before.add(methods(instance, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN));
      after.add(methods(instance, AfterEach.class, HierarchyTraversalMode.BOTTOM_UP));
    }
  }

  private static List<Method> methods(Object instance, Class<? extends Annotation> kind, HierarchyTraversalMode order) {
    return AnnotationSupport.findAnnotatedMethods(instance.getClass(), kind, order);
  }

  @Override
  public void run() {
    List<Object> instances = instances();
    Throwable failure = null;
    try {
      for (int i = 0; i < instances.size(); i++) {
        invokeAll(before.get(i), instances.get(i));
      }
      ReflectionSupport.invokeMethod(method, instances.getLast(), arguments);
    } catch (Throwable thrown) {
      failure = thrown;
    }
    for (int i = instances.size() - 1; i >= 0; i--) {
      failure = invokeAfter(after.get(i), instances.get(i), failure);
    }
    if (failure != null) {
      TestBody.<RuntimeException>sneak(failure);
    }
  }

  /** Those up to the innermost class that has one instance for all its tests: each instance lives in the one around it. */
  private static int kept(ExtensionContext context, int instances) {
    int count = instances;
    Class<?> type = context.getRequiredTestClass();
    for (Optional<ExtensionContext> at = Optional.of(context); at.isPresent(); at = at.get().getParent()) {
      // A class may have several contexts, one of them that of the test.
      Class<?> next = at.get().getTestClass().orElse(type);
      count -= next == type ? 0 : 1;
      type = next;
      if (at.get().getTestInstanceLifecycle().equals(Optional.of(Lifecycle.PER_CLASS))) {
        return count;
      }
    }
    return 0;
  }

  private List<Object> instances() {
    List<Object> instances = new ArrayList<>(made.subList(0, kept));
    for (Object like : made.subList(kept, made.size())) {
      // JUnit accepts test classes with one constructor only.
      Constructor<?> constructor = like.getClass().getDeclaredConstructors()[0];
      instances.add(invoker.invoke(constructor, instances.isEmpty() ? null : instances.getLast()));
    }
    return instances;
  }

  private void invokeAll(List<Method> methods, Object instance) {
    for (Method each : methods) {
      invoker.invoke(each, instance);
    }
  }

  /** Each of them, whatever happened before; the first failure counts, as JUnit counts them: an assumption that failed before is none. */
  private @Nullable Throwable invokeAfter(List<Method> methods, Object instance, @Nullable Throwable before) {
    Throwable failure = before;
    for (Method each : methods) {
      try {
        invoker.invoke(each, instance);
      } catch (Throwable thrown) {
        failure = failure == null ? thrown : joined(failure, thrown);
      }
    }
    return failure;
  }

  private static Throwable joined(Throwable first, Throwable second) {
    boolean replaced = first instanceof TestAbortedException && !(second instanceof TestAbortedException);
    Throwable counts = replaced ? second : first;
    if (first != second) {
      counts.addSuppressed(replaced ? first : second);
    }
    return counts;
  }

  /** The failure itself, which a run that is cut off relies on: it throws errors of its own through the body. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable failure) throws E {
    throw (E) failure;
  }
}

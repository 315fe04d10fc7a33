// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which lines of a stack are the user's. */
public final class Frames {
  private static final Set<String> OURS =
      Set.of(
          "dev.baton.host",
          "dev.baton.sync",
          "dev.baton.scope",
          "dev.baton.channel",
          "dev.baton.observe",
          "dev.baton.pattern",
          "dev.baton.runtime",
          "dev.baton.check",
          "dev.baton.effect",
          "dev.baton.cli",
          "dev.baton.cli.program",
          "dev.baton.junit",
          "dev.baton.lease",
          "dev.baton.lease.spi",
          "dev.baton.lease.memory",
          "dev.baton.lease.redis",
          "dev.baton.internal.kernel",
          "dev.baton.internal.outcome",
          "dev.baton.internal.threads",
          "dev.baton.internal.observe",
          "dev.baton.internal.jfr",
          "dev.baton.micrometer",
          "dev.baton.internal.select",
          "dev.baton.runtime.internal");

  private static final StackWalker WALKER = StackWalker.getInstance();

  private Frames() {}

  /** The line of the user's code that the calling task is in, or null if there is none. */
  public static @Nullable StackTraceElement callingLine() {
    return WALKER
        .walk(frames -> frames.filter(f -> isUsers(f.getClassName())).findFirst())
        .map(StackWalker.StackFrame::toStackTraceElement)
        .orElse(null);
  }

  /** The operation that has just reached a switch point: the method that said so, which may be another one than the user called. */
  public static String reachingMethod() {
    return WALKER
        .walk(frames -> frames.dropWhile(f -> !isReach(f)).skip(1).findFirst())
        .map(StackWalker.StackFrame::getMethodName)
        .orElse("");
  }

  private static boolean isReach(StackWalker.StackFrame frame) {
    return frame.getClassName().equals(SwitchPoints.class.getName()) && frame.getMethodName().equals("reach");
  }

  /** The stack of the calling task, from the operation of Baton's that the user's code called. */
  public static List<StackTraceElement> callingStack() {
    return fromOperation(WALKER.walk(frames -> frames.map(StackWalker.StackFrame::toStackTraceElement).toList()));
  }

  /** Leaves out what lies behind the operation that the user's code called: the inside of Baton and of the JDK. */
  public static List<StackTraceElement> fromOperation(List<StackTraceElement> stack) {
    int first = 0;
    while (first < stack.size() && !isUsers(stack.get(first).getClassName())) {
      first++;
    }
    return first == 0 || first == stack.size() ? List.copyOf(stack) : List.copyOf(stack.subList(first - 1, stack.size()));
  }

  /** The first line of {@code stack} that is the user's, or null. */
  public static @Nullable StackTraceElement line(List<StackTraceElement> stack) {
    return users(stack).findFirst().orElse(null);
  }

  /** The lines of {@code stack} that are the user's. */
  public static Stream<StackTraceElement> users(List<StackTraceElement> stack) {
    return stack.stream().filter(frame -> isUsers(frame.getClassName()));
  }

  /** Whether a class is neither Baton's own nor the JDK's, nor JUnit's, which calls tests. */
  public static boolean isUsers(String className) {
    if (className.startsWith("java.")
        || className.startsWith("jdk.")
        || className.startsWith("sun.")
        || className.startsWith("org.junit.")) {
      return false;
    }
    return !className.startsWith("dev.baton.") || !isOurs(className);
  }

  private static boolean isOurs(String className) {
    int inner = className.indexOf('$');
    String outermost = inner < 0 ? className : className.substring(0, inner);
    // Our tests stand in the packages of what they test.
    return OURS.contains(outermost.substring(0, outermost.lastIndexOf('.'))) && !outermost.endsWith("Test");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What methods are called in the documentation: "Guard.close", whichever class inside implements it. */
final class Operations {
  /** Where public types stand that are for Baton's own modules only. On the class path, no module says so. */
  private static final Pattern INSIDE = Pattern.compile("dev\\.baton\\.(.*\\.)?(host|internal|memory|spi)(\\..*)?");

  private Operations() {}

  /** The method of {@code frame}, named after the nearest public type that declares it. */
  static String name(StackTraceElement frame) {
    String method = frame.getMethodName();
    return publicName(frame.getClassName(), method) + "." + method;
  }

  private static String publicName(String className, String method) {
    String simple = className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    try {
      Class<?> outside = outside(Class.forName(className, false, Operations.class.getClassLoader()), method);
      return outside == null ? simple : outside.getSimpleName();
    } catch (ClassNotFoundException | LinkageError e) {
      return simple; // of another class loader: a name that is known inside only is better than none
    }
  }

  /** Breadth first: what a class says of itself that it is comes before what its ancestors are. */
  private static @Nullable Class<?> outside(Class<?> inside, String method) {
    Deque<Class<?>> types = new ArrayDeque<>();
    types.add(inside);
    for (Class<?> type = types.poll(); type != null; type = types.poll()) {
      if (isOutside(type) && declares(type, method)) {
        return type;
      }
      Collections.addAll(types, type.getInterfaces());
      if (type.getSuperclass() != null) {
        types.add(type.getSuperclass());
      }
    }
    return null;
  }

  private static boolean isOutside(Class<?> type) {
    return Modifier.isPublic(type.getModifiers()) && !INSIDE.matcher(type.getPackageName()).matches();
  }

  private static boolean declares(Class<?> type, String method) {
    return Arrays.stream(type.getDeclaredMethods()).map(Method::getName).anyMatch(method::equals);
  }
}

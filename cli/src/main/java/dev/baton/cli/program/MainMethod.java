// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a program begins, by the rules of the Java launcher: {@code main(String[])} before {@code main()}, static or not. */
final class MainMethod {
  private static final List<Class<?>[]> FORMS = List.of(new Class<?>[] {String[].class}, new Class<?>[0]);

  private final Method method;

  /** Makes the object that main is called on; null if main is static. */
  private final @Nullable Constructor<?> constructor;

  private MainMethod(Method method, @Nullable Constructor<?> constructor) {
    this.method = method;
    this.constructor = constructor;
    method.setAccessible(true);
    if (constructor != null) {
      constructor.setAccessible(true);
    }
  }

  static MainMethod of(Class<?> type) throws NoProgramException {
    try {
      for (Class<?>[] parameters : FORMS) {
        Method method = find(type, parameters);
        if (method != null) {
          return new MainMethod(method, Modifier.isStatic(method.getModifiers()) ? null : constructor(type));
        }
      }
    } catch (LinkageError e) {
      throw new NoProgramException("its class " + type.getName() + " cannot be loaded: " + e, "Mend that class.");
    }
    throw new NoProgramException(
        "its first class, " + type.getName() + ", has no main method",
        "Give it 'void main()' or 'static void main(String[] args)', not private, or put the class that has it first.");
  }

  /** Each call is a run of its own: an instance main gets a new object. */
  void call(String... arguments) throws Exception {
    try {
      Object target = constructor == null ? null : constructor.newInstance();
      if (method.getParameterCount() == 0) {
        method.invoke(target);
      } else {
        method.invoke(target, (Object) arguments.clone());
      }
    } catch (InvocationTargetException e) {
      MainMethod.<Exception>sneak(Objects.requireNonNull(e.getCause()));
    }
  }

  /** What main has thrown, itself: that may be a {@code Throwable} which is neither an exception nor an error. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** The first one upwards, as inheritance goes. */
  private static @Nullable Method find(Class<?> type, Class<?>... parameters) {
    Deque<Class<?>> interfaces = new ArrayDeque<>();
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      Method method = declared(at, parameters);
      if (method != null) {
        return method;
      }
      interfaces.addAll(List.of(at.getInterfaces()));
    }
    while (!interfaces.isEmpty()) {
      Class<?> at = interfaces.remove();
      Method method = declared(at, parameters);
      if (method != null && !Modifier.isStatic(method.getModifiers())) {
        return method;
      }
      interfaces.addAll(List.of(at.getInterfaces()));
    }
    return null;
  }

  private static @Nullable Method declared(Class<?> type, Class<?>... parameters) {
    try {
      Method method = type.getDeclaredMethod("main", parameters);
      int modifiers = method.getModifiers();
      boolean usable = !Modifier.isPrivate(modifiers) && !Modifier.isAbstract(modifiers);
      return usable && method.getReturnType() == void.class ? method : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static Constructor<?> constructor(Class<?> type) throws NoProgramException {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      if (!Modifier.isPrivate(constructor.getModifiers()) && !Modifier.isAbstract(type.getModifiers())) {
        return constructor;
      }
    } catch (NoSuchMethodException e) {
      // Said below.
    }
    throw new NoProgramException(
        "main of " + type.getName() + " is not static, and there is no way to make the object it is called on",
        "Make main static, or give the class a constructor without parameters that is not private.");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One set of handlers, not in scope yet: at most one for each class of effects, and at most one observer.
 *
 * @param name what it is called; may be empty
 * @param makers how the handler for each class comes into scope
 * @param resumes whether some of them are resumable
 * @param observer who is told, or null
 */
record Layer(String name, Map<Class<?>, Maker> makers, boolean resumes, @Nullable EffectObserver observer) {
  static final Layer EMPTY = new Layer("", Map.of(), false, null);

  /** Brings a handler into scope. */
  @FunctionalInterface
  interface Maker {
    Binding in(Frame frame);
  }

  Layer with(Class<?> type, Maker maker, boolean resumable) {
    Map<Class<?>, Maker> more = new LinkedHashMap<>(makers);
    if (more.put(type, maker) != null) {
      throw new IllegalArgumentException(
          "One set of handlers has one handler for "
              + type.getName()
              + ", and there is one already: leave one out, or stack two sets by Handlers.with.");
    }
    return new Layer(name, more, resumes || resumable, observer);
  }

  Layer named(String newName) {
    return new Layer(newName, makers, resumes, observer);
  }

  @Override
  public String toString() {
    String all = makers.keySet().stream().map(Class::getSimpleName).collect(Collectors.joining(", ", "[", "]"));
    String what = observer == null ? all : makers.isEmpty() ? "observer" : "observer and " + all;
    return name.isEmpty() ? what : name + " " + what;
  }
}

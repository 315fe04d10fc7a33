// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the static fields of a program held at one moment, as text. */
public final class StaticState {
  private final Map<String, String> values;

  private StaticState(Map<String, String> values) {
    this.values = values;
  }

  static StaticState of(List<Class<?>> classes) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Class<?> type : classes) {
      try {
        for (Field field : type.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
            field.setAccessible(true);
            values.put(type.getName().replace('$', '.') + "." + field.getName(), Values.describe(field.get(null)));
          }
        }
      } catch (IllegalAccessException | LinkageError unreadable) {
        // A class that could not be initialised has no state.
      }
    }
    return new StaticState(values);
  }

  /** Whether any of these classes has a static field other than constants. */
  static boolean isPossibleIn(List<Class<?>> classes) {
    return classes.stream()
        .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
        .anyMatch(field -> Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && !isConstant(field));
  }

  private static boolean isConstant(Field field) {
    return Modifier.isFinal(field.getModifiers()) && (field.getType().isPrimitive() || field.getType() == String.class);
  }

  /** The fields that hold something else now. */
  public List<String> changedTo(StaticState now) {
    return values.keySet().stream().filter(field -> !valueOf(field).equals(now.valueOf(field))).toList();
  }

  /** What a field held. */
  public String valueOf(String field) {
    return values.getOrDefault(field, "nothing");
  }
}

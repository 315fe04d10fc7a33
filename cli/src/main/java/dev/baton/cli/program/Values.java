// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Values as text that is the same for values that are equal, and the same again in another run. Of an object whose insides we do not
 * know, only the class is told. No code of the program is called.
 */
final class Values {
  private static final int DEPTH = 5;
  private static final int MOST = 1_000;

  /** What identity has to do with: it differs from object to object. */
  private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+");

  private Values() {}

  static String describe(@Nullable Object value) {
    try {
      return describe(value, DEPTH);
    } catch (RuntimeException changedMeanwhile) {
      return "something that changes all the time";
    }
  }

  private static String describe(@Nullable Object value, int depth) {
    if (value == null) {
      return "null";
    }
    Class<?> type = value.getClass();
    boolean known = type.getName().startsWith("java.");
    return switch (value) {
      case String text -> '"' + text + '"';
      case Character character -> "'" + character + "'";
      case Enum<?> constant -> constant.name();
      case Class<?> named -> named.getName();
      case Object _ when depth == 0 -> type.getSimpleName();
      case Object _ when type.isArray() -> list(elements(value), depth);
      case Record record -> record(record, depth);
      case Object _ when type.getName().startsWith("dev.baton.sync.") -> IDENTITY.matcher(value.toString()).replaceAll("");
      case Object _ when !known -> type.getSimpleName();
      case Set<?> set -> set(set.stream(), set.size(), depth);
      case Collection<?> collection -> list(collection, depth);
      case Map<?, ?> map ->
          set(map.entrySet().stream().map(entry -> new Entry(entry.getKey(), entry.getValue())), map.size(), depth + 1);
      case AtomicReference<?> reference -> describe(reference.get(), depth);
      case Optional<?> optional -> optional.map(inside -> "Optional[" + describe(inside, depth - 1) + "]").orElse("empty");
      case Number _, Boolean _, AtomicBoolean _, AtomicIntegerArray _, AtomicLongArray _ -> value.toString();
      case CharSequence text -> '"' + text.toString() + '"';
      case Object _ when type.getName().startsWith("java.time.") -> value.toString();
      default -> type.getSimpleName();
    };
  }

  private record Entry(@Nullable Object key, @Nullable Object value) {}

  private static List<@Nullable Object> elements(Object array) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < Math.min(Array.getLength(array), MOST); i++) {
      elements.add(Array.get(array, i));
    }
    return elements;
  }

  private static String list(Collection<?> elements, int depth) {
    return elements.stream().limit(MOST).map(element -> describe(element, depth - 1)).collect(Collectors.joining(", ", "[", "]"))
        + (elements.size() > 3 ? " (" + elements.size() + " elements)" : "");
  }

  /** Sorted: the order in a hash table may differ from run to run. */
  private static String set(Stream<?> elements, int size, int depth) {
    return elements.limit(MOST).map(element -> describe(element, depth - 1)).sorted().collect(Collectors.joining(", ", "{", "}"))
        + (size > 3 ? " (" + size + " elements)" : "");
  }

  private static String record(Record record, int depth) {
    if (record instanceof Entry(Object key, Object value)) {
      return describe(key, depth - 1) + "=" + describe(value, depth - 1);
    }
    List<String> components = new ArrayList<>();
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        var field = record.getClass().getDeclaredField(component.getName());
        field.setAccessible(true);
        components.add(component.getName() + "=" + describe(field.get(record), depth - 1));
      } catch (ReflectiveOperationException | RuntimeException unreadable) {
        components.add(component.getName());
      }
    }
    return record.getClass().getSimpleName() + components.stream().collect(Collectors.joining(", ", "[", "]"));
  }
}

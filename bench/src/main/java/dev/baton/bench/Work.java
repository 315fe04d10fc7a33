// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * One benchmark class within a suite.
 *
 * @param label what a reader sees; {@code {name}} stands for the value of a parameter
 * @param params values that replace those of the class, and that a user can only restrict
 * @param quickParams values that replace them further in a smoke run
 * @param isAcrossCores whether what it does passes from core to core again and again, so that it matters how far they are apart
 */
record Work(
    Class<?> bench,
    String label,
    Map<String, List<String>> params,
    Map<String, List<String>> quickParams,
    boolean isAcrossCores) {
  /** The parameter that names the implementation: it makes the lines of one table, all others make tables. */
  static final String IMPL = "impl";

  Work(Class<?> bench, String label) {
    this(bench, label, Map.of(), Map.of(), false);
  }

  Work with(String name, String... values) {
    return new Work(bench, label, plus(params, name, List.of(values)), quickParams, isAcrossCores);
  }

  Work quick(String name, String... values) {
    return new Work(bench, label, params, plus(quickParams, name, List.of(values)), isAcrossCores);
  }

  Work acrossCores() {
    return new Work(bench, label, params, quickParams, true);
  }

  /**
   * The parameters of the class and their values, in order of declaration. The implementations are among them, whether
   * the class has a parameter for them or a method for each.
   */
  Map<String, List<String>> params(boolean quick, Map<String, List<String>> chosen) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (Field field : fields()) {
      Param param = field.getAnnotation(Param.class);
      if (param != null) {
        all.put(field.getName(), values(field.getName(), List.of(param.value()), quick, chosen));
      }
    }
    if (!hasImplParam()) {
      all.put(IMPL, values(IMPL, methods(), quick, chosen));
    }
    return all;
  }

  private List<String> values(
      String name, List<String> declared, boolean quick, Map<String, List<String>> chosen) {
    List<String> usual = params.getOrDefault(name, declared);
    if (!chosen.containsKey(name)) {
      return quick ? quickParams.getOrDefault(name, usual) : usual;
    }
    // A class knows its implementations, and a work that restricts a value does so because others would run for hours.
    boolean fixed = name.equals(IMPL) || params.containsKey(name);
    return fixed ? usual.stream().filter(chosen.get(name)::contains).toList() : chosen.get(name);
  }

  /** One map per table of this work: one value of each parameter, and all implementations. */
  List<Map<String, List<String>>> points(boolean quick, Map<String, List<String>> chosen) {
    List<Map<String, List<String>>> points = List.of(Map.of());
    for (var param : params(quick, chosen).entrySet()) {
      List<Map<String, List<String>>> next = new ArrayList<>();
      for (Map<String, List<String>> point : points) {
        if (!param.getKey().equals(IMPL)) {
          param.getValue().forEach(value -> next.add(plus(point, param.getKey(), List.of(value))));
        } else if (!param.getValue().isEmpty()) {
          next.add(plus(point, IMPL, param.getValue()));
        }
      }
      points = next;
    }
    return points;
  }

  /** Whether the implementation is a parameter; else each has a method that is called like it. */
  boolean hasImplParam() {
    return fields().stream().anyMatch(field -> field.getName().equals(IMPL));
  }

  /** Inherited ones first: a class may be another one's with a different JVM. */
  private List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    for (Class<?> type = bench; type != null; type = type.getSuperclass()) {
      fields.addAll(0, Arrays.asList(type.getDeclaredFields()));
    }
    return fields;
  }

  private List<String> methods() {
    return Arrays.stream(bench.getMethods())
        .filter(method -> method.isAnnotationPresent(Benchmark.class))
        .map(Method::getName)
        .sorted()
        .toList();
  }

  /** Single shots are too few for the allocation profiler, and their time is not an operation's. */
  boolean isSingleShot() {
    return Arrays.asList(bench.getAnnotation(BenchmarkMode.class).value()).contains(Mode.SingleShotTime);
  }

  String label(Map<String, String> values) {
    String text = label;
    for (var value : values.entrySet()) {
      text = text.replace("{" + value.getKey() + "}", Format.grouped(value.getValue()));
    }
    return text;
  }

  private static Map<String, List<String>> plus(Map<String, List<String>> map, String name, List<String> values) {
    Map<String, List<String>> more = new LinkedHashMap<>(map);
    more.put(name, values);
    return more;
  }
}

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
 * @param params values that replace those of the class
 * @param quickParams values that replace them further in a smoke run
 */
record Work(
    Class<?> bench, String label, Map<String, List<String>> params, Map<String, List<String>> quickParams) {
  /** The parameter that names the implementation: it makes the lines of one table, all others make tables. */
  static final String IMPL = "impl";

  Work(Class<?> bench, String label) {
    this(bench, label, Map.of(), Map.of());
  }

  Work with(String name, String... values) {
    return new Work(bench, label, plus(params, name, List.of(values)), quickParams);
  }

  Work quick(String name, String... values) {
    return new Work(bench, label, params, plus(quickParams, name, List.of(values)));
  }

  /** The parameters of the class and their values, in order of declaration. */
  Map<String, List<String>> params(boolean quick, Map<String, List<String>> chosen) {
    Map<String, List<String>> all = new LinkedHashMap<>();
    for (Field field : bench.getDeclaredFields()) {
      Param param = field.getAnnotation(Param.class);
      if (param != null) {
        String name = field.getName();
        List<String> values = params.getOrDefault(name, List.of(param.value()));
        all.put(name, chosen.getOrDefault(name, quick ? quickParams.getOrDefault(name, values) : values));
      }
    }
    return all;
  }

  /** One map per table of this work. */
  List<Map<String, List<String>>> points(boolean quick, Map<String, List<String>> chosen) {
    List<Map<String, List<String>>> points = List.of(Map.of());
    for (var param : params(quick, chosen).entrySet()) {
      List<Map<String, List<String>>> next = new ArrayList<>();
      for (Map<String, List<String>> point : points) {
        if (param.getKey().equals(IMPL)) {
          next.add(plus(point, IMPL, param.getValue()));
        } else {
          param.getValue().forEach(value -> next.add(plus(point, param.getKey(), List.of(value))));
        }
      }
      points = next;
    }
    return points;
  }

  /** Lines in the table of such a point. */
  int implementations(Map<String, List<String>> point) {
    return point.containsKey(IMPL)
        ? point.get(IMPL).size()
        : (int) Arrays.stream(bench.getMethods()).filter(Work::isBenchmark).count();
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

  private static boolean isBenchmark(Method method) {
    return method.isAnnotationPresent(Benchmark.class);
  }

  private static Map<String, List<String>> plus(Map<String, List<String>> map, String name, List<String> values) {
    Map<String, List<String>> more = new LinkedHashMap<>(map);
    more.put(name, values);
    return more;
  }
}

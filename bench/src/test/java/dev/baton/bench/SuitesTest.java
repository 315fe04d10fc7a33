// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.work.HandOver;
import dev.baton.bench.work.UncontendedSemaphore;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Benchmark;

class SuitesTest {
  static Stream<Work> works() {
    return Suites.ALL.stream().flatMap(suite -> suite.works().stream());
  }

  @ParameterizedTest
  @MethodSource("works")
  void everyImplementationThatABenchmarkNamesIsKnown(Work work) {
    List<String> named =
        work.params(false, Map.of())
            .getOrDefault(
                Work.IMPL,
                Arrays.stream(work.bench().getMethods())
                    .filter(method -> method.isAnnotationPresent(Benchmark.class))
                    .map(Method::getName)
                    .toList());

    assertThat(named).isNotEmpty().allSatisfy(key -> assertThatCode(() -> Peer.of(key)).doesNotThrowAnyException());
  }

  @ParameterizedTest
  @MethodSource("works")
  void aLabelShowsAllParametersButTheImplementation(Work work) {
    for (var point : work.points(false, Map.of())) {
      Map<String, String> values = new HashMap<>();
      point.forEach((name, list) -> values.put(name, list.getFirst()));

      assertThat(work.label(values)).doesNotContain("{");
      values.remove(Work.IMPL);
      values.values().forEach(value -> assertThat(work.label(values)).contains(Format.grouped(value)));
    }
  }

  @Test
  void thereIsATablePerCombinationOfParametersWithALinePerImplementation() {
    Work work = new Work(HandOver.class, "").with("sectionNanos", "10", "800").quick("threads", "64");

    assertThat(work.points(false, Map.of())).hasSize(6);
    assertThat(work.points(true, Map.of())).hasSize(2);
    assertThat(work.points(true, Map.of("threads", List.of("1", "2", "3")))).hasSize(6);
    assertThat(work.points(true, Map.of("impl", List.of("baton"))))
        .allSatisfy(point -> assertThat(work.implementations(point)).isEqualTo(1));
  }

  @Test
  void whereMethodsAreTheImplementationsThereIsOneTable() {
    Work work = new Work(UncontendedSemaphore.class, "");

    assertThat(work.points(false, Map.of())).hasSize(1);
    assertThat(work.implementations(Map.of())).isEqualTo(5);
  }
}

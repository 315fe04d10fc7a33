// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.work.HandOver;
import dev.baton.bench.work.Hop;
import dev.baton.bench.work.HopOnOneCarrier;
import dev.baton.bench.work.MillionCancels;
import dev.baton.bench.work.UncontendedSemaphore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SuitesTest {
  static Stream<Work> works() {
    return Suites.ALL.stream().flatMap(suite -> suite.works().stream());
  }

  @ParameterizedTest
  @MethodSource("works")
  void everyImplementationThatABenchmarkNamesIsKnown(Work work) {
    List<String> named = work.params(false, Map.of()).getOrDefault(Work.IMPL, List.of());

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
    Work work = new Work(HandOver.class, "").quick("threads", "64");

    assertThat(work.points(false, Map.of())).hasSize(6);
    assertThat(work.points(true, Map.of())).hasSize(2);
    assertThat(work.points(true, Map.of("threads", List.of("1", "2", "3")))).hasSize(6);
    assertThat(work.points(true, Map.of("impl", List.of("baton"))))
        .allSatisfy(point -> assertThat(point).containsEntry("impl", List.of("baton")));
  }

  @Test
  void valuesThatAWorkRestrictsCanOnlyBeRestrictedFurther() {
    Work work = new Work(HandOver.class, "").with("threads", "64", "1000").with("impl", "baton");

    assertThat(work.params(false, Map.of("threads", List.of("1000", "5")))).containsEntry("threads", List.of("1000"));
    assertThat(work.points(false, Map.of("threads", List.of("5")))).isEmpty();
    assertThat(work.points(false, Map.of("impl", List.of("jucFair")))).isEmpty();
  }

  @Test
  void whereMethodsAreTheImplementationsThereIsOneTable() {
    Work work = new Work(UncontendedSemaphore.class, "");
    Map<String, List<String>> chosen = Map.of("impl", List.of("jucFair", "baton", "lockFair"));

    assertThat(work.points(false, Map.of()))
        .containsExactly(Map.of("impl", List.of("baton", "getAndAdds", "jucFair", "jucNonfair", "kotlin")));
    assertThat(work.points(false, chosen)).containsExactly(Map.of("impl", List.of("baton", "jucFair")));
  }

  @Test
  void aClassHasTheImplementationsOfTheOneThatItExtends() {
    assertThat(new Work(HopOnOneCarrier.class, "").points(false, Map.of()))
        .isEqualTo(new Work(Hop.class, "").points(false, Map.of()))
        .hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("works")
  void whatBatonIsComparedWithStandsBesideIt(Work work) {
    List<Peer> compared =
        work.params(false, Map.of()).getOrDefault(Work.IMPL, List.of()).stream().map(Peer::of).toList();

    assertThat(compared).allSatisfy(peer -> assertThat(compared).contains(peer.counterpart()));
  }

  @Test
  void noClassRunsUnderTheNameOfAnImplementationThatItDoesNotHave() {
    Work work = new Work(MillionCancels.class, "");

    assertThat(work.points(false, Map.of("impl", List.of("jucFair")))).isEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Resource;
import dev.baton.observe.WaitGraph.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rings and deadlocks in graphs made by hand. Tasks are letters, resources numbers. */
class WaitGraphTest {
  private final List<Wait> waits = new ArrayList<>();
  private final List<Hold> holds = new ArrayList<>();

  private static Node task(String name) {
    return new Node(1 + name.hashCode(), name);
  }

  private static Resource resource(int number) {
    return new Resource(number, "Mutex " + number, "", null);
  }

  private WaitGraphTest waits(String task, int resource) {
    waits.add(new Wait(task(task), resource(resource), 0, Duration.ZERO, List.of()));
    return this;
  }

  private WaitGraphTest holds(String task, int resource) {
    holds.add(new Hold(task(task), resource(resource), Relation.HOLDS, 0, List.of()));
    return this;
  }

  private WaitGraphTest ends(String task, int resource) {
    holds.add(new Hold(task(task), resource(resource), Relation.ENDS, 0, List.of()));
    return this;
  }

  private WaitGraph graph() {
    return new WaitGraph(waits, holds);
  }

  private List<String> rings() {
    return graph().cycles().stream()
        .map(ring -> String.join(" ", ring.stream().map(wait -> wait.task().name()).toList()))
        .toList();
  }

  private List<String> deadlocked() {
    return graph().deadlocked().stream().map(Node::name).toList();
  }

  @Test
  void nobodyWaits() {
    assertThat(graph().isEmpty()).isTrue();
    assertThat(rings()).isEmpty();
    assertThat(deadlocked()).isEmpty();
  }

  @Test
  void twoThatWaitForEachOther() {
    holds("a", 1).holds("b", 2).waits("a", 2).waits("b", 1);
    assertThat(rings()).containsExactly("a b");
    assertThat(deadlocked()).containsExactly("a", "b");
  }

  @Test
  void aRingOfThreeAndOneBehindIt() {
    holds("a", 1).holds("b", 2).holds("c", 3).waits("d", 1).waits("b", 3).waits("c", 1).waits("a", 2);
    assertThat(rings()).containsExactly("b c a");
    assertThat(deadlocked()).containsExactly("d", "b", "c", "a");
  }

  @Test
  void oneThatWaitsForItself() {
    holds("a", 1).waits("a", 1);
    assertThat(rings()).containsExactly("a");
    assertThat(deadlocked()).containsExactly("a");
  }

  @Test
  void aChainIsNoRing() {
    holds("a", 1).holds("b", 2).waits("b", 1).waits("c", 2);
    assertThat(rings()).isEmpty();
    assertThat(deadlocked()).isEmpty();
  }

  @Test
  void aRingThroughOneOfTwoHoldersIsNoDeadlockWhileTheOtherMayGoOn() {
    holds("a", 1).holds("b", 2).holds("free", 2).waits("a", 2).waits("b", 1);
    assertThat(rings()).containsExactly("a b");
    assertThat(deadlocked()).isEmpty();
  }

  @Test
  void aRingThroughTwoHoldersIsADeadlockIfBothAreStuck() {
    holds("a", 1).holds("b", 2).holds("c", 2).waits("a", 2).waits("b", 1).waits("c", 1);
    assertThat(rings()).containsExactly("a b", "a c");
    assertThat(deadlocked()).containsExactly("a", "b", "c");
  }

  @Test
  void anUnknownHolderMayGoOn() {
    holds("a", 1).holds("b", 2).waits("a", 2).waits("b", 1);
    holds.add(new Hold(Node.unknown("somebody"), resource(2), Relation.HOLDS, 1, List.of()));
    assertThat(rings()).containsExactly("a b");
    assertThat(deadlocked()).isEmpty();
  }

  @Test
  void whoWaitsForTwoTasksIsStuckIfOneOfThemIs() {
    holds("owner", 1).ends("free", 2).ends("child", 2).waits("owner", 2).waits("child", 1);
    assertThat(rings()).containsExactly("owner child");
    assertThat(deadlocked()).containsExactly("owner", "child");
  }

  @Test
  void whoWaitsForTasksThatMayGoOnIsNotStuck() {
    ends("x", 2).ends("y", 2).holds("y", 3).waits("owner", 2);
    assertThat(deadlocked()).isEmpty();
  }

  @Test
  void whatNobodyHoldsMayHappen() {
    holds("a", 1).waits("a", 2).waits("b", 1);
    assertThat(deadlocked()).isEmpty();
  }

  @Test
  void twoSeparateRings() {
    holds("a", 1).holds("b", 2).holds("c", 3).holds("d", 4);
    waits("c", 4).waits("a", 2).waits("d", 3).waits("b", 1);
    assertThat(rings()).containsExactly("c d", "a b");
  }

  @Test
  void ringsThatShareAPathAreBothFoundAndEachOnce() {
    // a waits for b, who waits for a or c; c waits for b.
    holds("b", 1).holds("a", 2).holds("c", 2).waits("a", 1).waits("b", 2).waits("c", 1);
    assertThat(rings()).containsExactly("a b", "b c");
    assertThat(graph().cycles()).isEqualTo(graph().cycles());
  }

  @Test
  void aChainOfTenThousandDoesNotOverflowTheStack() {
    int length = 10_000;
    for (int i = 0; i < length; i++) {
      waits.add(new Wait(new Node(i + 1, "t" + i), resource(i + 1), 0, Duration.ZERO, List.of()));
      holds.add(new Hold(new Node(i + 2, "t" + (i + 1)), resource(i + 1), Relation.HOLDS, 0, List.of()));
    }
    assertThat(graph().cycles()).isEmpty();
    assertThat(graph().deadlocked()).isEmpty();
    waits.add(new Wait(new Node(length + 1, "t" + length), resource(0), 0, Duration.ZERO, List.of()));
    holds.add(new Hold(new Node(1, "t0"), resource(0), Relation.HOLDS, 0, List.of()));
    assertThat(graph().cycles()).hasSize(1).first().isEqualTo(waits);
    assertThat(graph().deadlocked()).hasSize(length + 1);
    assertThat(graph().toSvg()).contains("t" + length);
  }

  @Test
  void manyWhoWaitForWhatManyHoldTakeNoTime() {
    int many = 3_000;
    for (int i = 1; i <= many; i++) {
      holds.add(new Hold(new Node(i, "h" + i), resource(1), Relation.HOLDS, 1, List.of()));
      waits.add(new Wait(new Node(many + i, "w" + i), resource(1), 1, Duration.ZERO, List.of()));
    }
    assertThat(graph().cycles()).isEmpty();
    assertThat(graph().deadlocked()).isEmpty();
  }

  @Test
  void theListsAreCopies() {
    List<Wait> mine = new ArrayList<>(Arrays.asList(new Wait(task("a"), resource(1), 0, Duration.ZERO, List.of())));
    WaitGraph graph = new WaitGraph(mine, List.of());
    mine.clear();
    assertThat(graph.waits()).hasSize(1);
    assertThat(graph.holdersOf(resource(1))).isEmpty();
  }
}

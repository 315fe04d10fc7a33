// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.sync.Semaphore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class StaticStateTest {
  @Test
  void fieldsThatHoldSomethingElseAreNamed() {
    State.number = 1;
    State.list.clear();
    StaticState before = StaticState.of(List.of(State.class));

    State.number = 2;
    State.list.add("x");
    State.same = new Object();

    StaticState after = StaticState.of(List.of(State.class));
    String name = "dev.baton.cli.program.StaticStateTest.State.";
    assertThat(before.changedTo(after)).containsExactlyInAnyOrder(name + "number", name + "list");
    assertThat(after.valueOf(name + "number")).isEqualTo("2");
    assertThat(after.valueOf(name + "list")).isEqualTo("[\"x\"]");
  }

  static final class State {
    static int number;
    static final List<String> list = new ArrayList<>();
    static Object same = new Object();

    private State() {}
  }

  @Test
  void valuesAreComparedByWhatTheyHold() {
    assertThat(Values.describe(null)).isEqualTo("null");
    assertThat(Values.describe('c')).isEqualTo("'c'");
    assertThat(Values.describe(new int[][] {{1, 2}, {}})).isEqualTo("[[1, 2], []]");
    assertThat(Values.describe(new ArrayDeque<>(List.of(1L, 2L)))).isEqualTo("[1, 2]");
    assertThat(Values.describe(new HashMap<>(Map.of("b", 1, "a", List.of(2))))).isEqualTo("{\"a\"=[2], \"b\"=1}");
    assertThat(Values.describe(new AtomicInteger(3))).isEqualTo("3");
    assertThat(Values.describe(new AtomicReference<>("in"))).isEqualTo("\"in\"");
    assertThat(Values.describe(new LongAdder())).isEqualTo("0");
    assertThat(Values.describe(new Pair("one", new Object()))).isEqualTo("Pair[left=\"one\", right=Object]");
    assertThat(Values.describe(Thread.State.NEW)).isEqualTo("NEW");
    assertThat(Values.describe(Semaphore.of(2))).isEqualTo("Semaphore[2 of 2 available]");
  }

  record Pair(String left, Object right) {}

  @Test
  void theOrderOfAHashSetAndTheIdentityOfObjectsSayNothing() {
    HashSet<Object> one = new HashSet<>(List.of(new Object(), "x", new Object()));
    HashSet<Object> other = new HashSet<>(List.of("x", new Object(), new Object()));

    assertThat(Values.describe(one)).isEqualTo(Values.describe(other));
  }

  @Test
  void aListInsideItselfEnds() {
    List<Object> ring = new ArrayList<>();
    ring.add(ring);

    assertThat(Values.describe(ring)).hasSizeLessThan(50);
  }

  @Test
  void noCodeOfTheProgramIsCalled() {
    assertThat(Values.describe(new Trap())).isEqualTo("Trap");
  }

  static final class Trap extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    @Override
    public int size() {
      throw new AssertionError("called");
    }

    @Override
    public String toString() {
      throw new AssertionError("called");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Channel;
import dev.baton.channel.Select;
import dev.baton.runtime.Cooperative;
import dev.baton.scope.Scope;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program leaves to chance is searched like the order of its tasks. */
class ChanceTest {
  private static String takesEither() throws Exception {
    Channel<String> a = Channel.buffered(1);
    Channel<String> b = Channel.buffered(1);
    a.send("a");
    b.send("b");
    return Select.<String>of(Select.receive(a, value -> value), Select.receive(b, value -> value)).run();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "b"})
  void anExhaustiveSearchTakesEveryClauseThatIsReady(String bad) {
    Check check =
        Check.that(
            () -> {
              if (takesEither().equals(bad)) {
                throw new IllegalStateException("chose " + bad);
              }
            });
    Failure failure = check.exhaustive(2).search().failure().orElseThrow();
    assertThat(failure.kind()).isEqualTo(Kind.EXCEPTION);
    assertThat(check.replay(failure.replay()).failure().orElseThrow().message()).contains("chose " + bad);
  }

  /** By one sequence for both, each first decision would go with one first choice only. */
  @Test
  void whatASelectTakesDoesNotFollowFromWhoWasFirst() {
    int[][] seen = new int[2][2];
    Check.that(
            () -> {
              boolean[] past = new boolean[1];
              int[] first = new int[1];
              Scope.run(
                  scope -> {
                    scope.fork(() -> first[0] = past[0] ? 0 : 1);
                    Cooperative.yieldNow();
                    past[0] = true;
                    scope.join();
                  });
              seen[first[0]][takesEither().equals("a") ? 0 : 1]++;
            })
        .seeds(400)
        .search();
    assertThat(Arrays.stream(seen).flatMapToInt(Arrays::stream)).allMatch(count -> count > 20);
  }
}

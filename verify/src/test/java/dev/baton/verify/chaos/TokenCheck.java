// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Each grant of a name has a larger token than all before, on whatever server; and a holder has the token that its grant had. */
final class TokenCheck implements Check {

  @Override
  public void look(History history, Consumer<String> violations) {
    Map<String, Long> last = new HashMap<>();
    Set<String> granted = new HashSet<>();
    Replay.of(history, (epoch, event, before) -> {
      if (event.kind() == ServerEvent.Kind.GRANTED) {
        granted.add(event.name() + event.id() + event.number());
        Long lower = last.put(event.name(), event.number());
        if (lower != null && event.number() <= lower) {
          violations.accept(event.id() + " was granted " + event.name() + " with token " + event.number() + " after " + lower);
        }
      }
    });
    for (Tenure tenure : history.tenures) {
      if (!granted.contains(tenure.name + tenure.id + tenure.token)) {
        violations.accept(tenure + " was never granted by the server");
      }
    }
    for (Resource resource : Resource.ALL) {
      asSeen(history.tenures.stream().filter(t -> t.name.equals(resource.name())).toList(), violations);
    }
  }

  /** What was asked for after another was had is later. */
  private static void asSeen(List<Tenure> tenures, Consumer<String> violations) {
    List<Tenure> byAsking = new ArrayList<>(tenures);
    byAsking.sort(Comparator.comparingLong(t -> t.asked));
    List<Tenure> byGetting = new ArrayList<>(tenures);
    byGetting.sort(Comparator.comparingLong(t -> t.got));
    Set<Long> tokens = new HashSet<>();
    int had = 0;
    Tenure highest = null;
    for (Tenure tenure : byAsking) {
      if (!tokens.add(tenure.token)) {
        violations.accept(tenure + " has a token that another has, too");
      }
      for (; had < byGetting.size() && byGetting.get(had).got - tenure.asked < 0; had++) {
        if (highest == null || byGetting.get(had).token > highest.token) {
          highest = byGetting.get(had);
        }
      }
      if (highest != null && highest.token >= tenure.token) {
        violations.accept(tenure + " was asked for after " + highest + " was had");
      }
    }
  }
}

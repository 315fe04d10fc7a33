// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.verify.chaos.ServerEvent.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** How long it took from the moment one began to give a lease back until the one who waited for it had it. In nanoseconds, sorted. */
record HandOvers(List<Long> nanos) {

  static HandOvers of(History history) {
    Map<String, Tenure> tenures = new HashMap<>();
    history.tenures.forEach(tenure -> tenures.put(tenure.id + tenure.token, tenure));
    Map<String, ServerEvent> dropped = new HashMap<>();
    Map<String, Long> tokenOfDropped = new HashMap<>();
    LongStream.Builder found = LongStream.builder();
    Replay.of(history, (epoch, event, before) -> {
      if (event.kind() == Kind.DROPPED) {
        Snapshot.Held held = before.held.get(event.id());
        dropped.put(event.name(), event);
        tokenOfDropped.put(event.name(), held == null ? 0 : held.token());
      } else if (event.kind() == Kind.GRANTED) {
        ServerEvent cause = dropped.get(event.name());
        if (cause != null && cause.step() == event.step()) {
          Tenure giver = tenures.get(cause.id() + tokenOfDropped.getOrDefault(event.name(), 0L));
          Tenure taker = tenures.get(event.id() + event.number());
          if (giver != null && taker != null && giver.ending != Tenure.NEVER && taker.got - giver.ending > 0) {
            found.add(taker.got - giver.ending);
          }
        }
      }
    });
    return new HandOvers(found.build().sorted().boxed().toList());
  }

  /** What so many of a thousand were not slower than; 0 if there were none. */
  long perMille(int part) {
    return nanos.isEmpty() ? 0 : nanos.get(Math.min(nanos.size() - 1, nanos.size() * part / 1000));
  }
}

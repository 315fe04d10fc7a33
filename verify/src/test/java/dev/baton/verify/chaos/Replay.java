// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.Map;
import java.util.TreeMap;

/** Goes through what was done to servers, one thing after the other. */
final class Replay {
  interface Visitor {
    /** {@code event} happened when things stood as {@code before} says. */
    void see(Epoch epoch, ServerEvent event, Snapshot before);
  }

  private Replay() {}

  static void of(History history, Visitor visitor) {
    for (Epoch epoch : history.epochs) {
      Map<String, Snapshot> states = new TreeMap<>();
      epoch.initial().forEach((name, snapshot) -> states.put(name, snapshot.copy()));
      for (ServerEvent event : epoch.events()) {
        Snapshot state = Epoch.of(states, event.name());
        visitor.see(epoch, event, state);
        state.apply(event);
      }
    }
  }
}

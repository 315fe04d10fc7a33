// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Looks for one kind of broken promise in a history. */
interface Check {
  List<Check> ALL =
      List.of(
          new CapacityCheck(), new OrderCheck(), new TokenCheck(), new ConservationCheck(), new LossCheck(), new LivenessCheck(),
          new ResidueCheck());

  /** Says of each broken promise what happened. */
  void look(History history, Consumer<String> violations);

  /** Every promise that was broken. */
  static List<String> all(History history) {
    List<String> found = new ArrayList<>();
    for (Check check : ALL) {
      String law = check.getClass().getSimpleName().replace("Check", "");
      check.look(history, text -> found.add(law + ": " + text));
    }
    return found;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.function.Consumer;

/** A loss is told once; after that the lease is not valid, and a release says that it is over. */
final class LossCheck implements Check {

  @Override
  public void look(History history, Consumer<String> violations) {
    for (Tenure tenure : history.tenures) {
      if (tenure.losses.size() > 1) {
        violations.accept(tenure + " was lost " + tenure.losses.size() + " times: " + tenure.losses);
      }
      for (Tenure.Loss loss : tenure.losses) {
        if (tenure.wasValid() && tenure.validUntil - loss.time() > 0) {
          violations.accept(tenure + " was valid after it was lost as " + loss.why());
        }
      }
      String ended = tenure.ended;
      boolean untold = tenure.killed && tenure.losses.isEmpty() && "EXPIRED".equals(ended);
      if (ended != null && !untold && !ended.equals(tenure.losses.isEmpty() ? "RELEASED" : "EXPIRED")) {
        violations.accept(tenure + " was released as " + ended + " and lost " + tenure.losses.size() + " times");
      }
    }
  }
}

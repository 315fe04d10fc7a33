// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.jfr.Flight;

/** What other modules of Baton's have to tell flight recordings. Costs nothing while there is none. */
public final class Incidents {
  private Incidents() {}

  /**
   * A lease was lost.
   *
   * @param name the name of its semaphore
   * @param id its own
   * @param holder who acquired it
   * @param reason why
   * @param store where it was kept
   * @param heldNanos for how long it was held
   */
  public static void leaseLost(String name, String id, String holder, String reason, String store, long heldNanos) {
    Flight.leaseLost(name, id, holder, reason, store, heldNanos);
  }
}

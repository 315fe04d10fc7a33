// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

/** How much is written down about who holds what. */
public enum Tracking {
  /** Nothing: the default, which costs nothing. */
  OFF,

  /** Who holds what. */
  ON,

  /** Who holds what, and from which line: where locks were taken and tasks were forked. Several times the price of a fork. */
  STACKS;

  /** {@return whether holders are written down} */
  public boolean isOn() {
    return this != OFF;
  }
}

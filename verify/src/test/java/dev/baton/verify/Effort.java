// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify;

/** How much to search: {@code -Dbaton.verify=short}, the default, or {@code long}. */
public final class Effort {
  private static final boolean LONG = "long".equals(System.getProperty("baton.verify"));

  private Effort() {}

  /** The one or the other. */
  public static int of(int inShort, int inLong) {
    return LONG ? inLong : inShort;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

/**
 * What a wait waits for.
 *
 * @param primitive the primitive
 * @param side the part of it that is waited for, where its parts are held by different tasks; empty for the whole
 * @param permits how many are asked for; 0 where nothing is counted
 */
public record Target(Object primitive, String side, long permits) {

  /** The whole of {@code primitive}, of which nothing is counted. */
  public static Target of(Object primitive) {
    return new Target(primitive, "", 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

/** Numbers for tasks that go by who has spawned them, and not by when: so spread that two of one run are never the same in practice. */
final class Lineage {
  private Lineage() {}

  /** That of the child with this index. */
  static long of(long parent, int child) {
    // The odd constants and shifts of SplitMix64, whose outputs for different inputs differ in half of their bits.
    long z = (parent ^ 0x9E3779B97F4A7C15L) * 31 + child + 1;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

/** How much of the heap is in use, for tests of what is left behind. */
final class Heap {
  private static final int LOOKS = 5;
  private static final int MOST_LOOKS = 50;

  private Heap() {}

  /** The least that is found in use at several looks: collectors take their time. */
  static long used() {
    return used(Long.MAX_VALUE, () -> {});
  }

  /** The same, with {@code between} done before each look, and looked for until it is no more than {@code enough}, for some time. */
  static long used(long enough, Runnable between) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < LOOKS || (least > enough && i < MOST_LOOKS); i++) {
      System.gc();
      between.run();
      least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    }
    return least;
  }
}

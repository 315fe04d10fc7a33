// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.memory;

import java.util.Arrays;

/**
 * Numbers from 1 that are taken, and the lowest that is not. A tree of bits: a bit is set if the slot is taken, or, further up, if all 64
 * below it are; so taking, freeing and finding the lowest cost one word on each of a few levels. Not safe for several threads.
 */
final class SlotSet {
  private static final int SHIFT = 6;
  private static final int MASK = (1 << SHIFT) - 1;
  private static final long FULL = -1L;

  /** The lowest level first; the last has one word. */
  private long[][] levels = {new long[1]};

  /** Takes the lowest number that is free. */
  int takeLowest() {
    if (levels[levels.length - 1][0] == FULL) {
      grow();
    }
    int index = 0;
    for (int level = levels.length - 1; level >= 0; level--) {
      long[] words = levels[level];
      if (index >= words.length) {
        levels[level] = words = Arrays.copyOf(words, Math.max(index + 1, words.length * 2));
      }
      index = (index << SHIFT) + Long.numberOfTrailingZeros(~words[index]);
    }
    set(index);
    return index + 1;
  }

  /** Frees a number that was taken. */
  void free(int slot) {
    int index = slot - 1;
    for (long[] words : levels) {
      long before = words[index >>> SHIFT];
      words[index >>> SHIFT] = before & ~(1L << (index & MASK));
      if (before != FULL) {
        return;
      }
      index >>>= SHIFT;
    }
  }

  private void set(int slot) {
    int index = slot;
    for (long[] words : levels) {
      words[index >>> SHIFT] |= 1L << (index & MASK);
      if (words[index >>> SHIFT] != FULL) {
        return;
      }
      index >>>= SHIFT;
    }
  }

  /** All that there is room for is taken: one level more. */
  private void grow() {
    levels = Arrays.copyOf(levels, levels.length + 1);
    levels[levels.length - 1] = new long[] {1};
  }
}

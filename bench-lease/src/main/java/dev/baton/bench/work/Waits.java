// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How long one caller has waited, each time: counts by length, 32 lengths to each power of two, so that what is read from them is within 3 %.
 * Written by that caller, read by a sampler.
 */
final class Waits {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int STEP_BITS = 5;
  private static final int STEPS = 1 << STEP_BITS;
  private static final int SIZE = (Long.SIZE - STEP_BITS) * STEPS;

  private final int[] counts = new int[SIZE];

  void add(long nanos) {
    int index = index(nanos);
    COUNT.setOpaque(counts, index, counts[index] + 1); // opaque: seen by the sampler in time, ordered with nothing
  }

  /** Adds these counts to {@code sums}. */
  void addTo(long[] sums) {
    for (int i = 0; i < SIZE; i++) {
      sums[i] += (int) COUNT.getOpaque(counts, i);
    }
  }

  static long[] none() {
    return new long[SIZE];
  }

  /** The length that this part of all waits did not exceed, rounded up; 0 if there were none. */
  static long percentile(long[] sums, double part) {
    long all = 0;
    for (long sum : sums) {
      all += sum;
    }
    long below = 0;
    for (int i = 0; i < SIZE; i++) {
      below += sums[i];
      if (below > 0 && below >= all * part) {
        return upper(i);
      }
    }
    return 0;
  }

  private static int index(long nanos) {
    long value = Math.max(0, nanos);
    if (value < STEPS) {
      return (int) value;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(value) - STEP_BITS;
    return (shift << STEP_BITS) + (int) (value >>> shift);
  }

  private static long upper(int index) {
    if (index < 2 * STEPS) {
      return index;
    }
    int shift = (index >> STEP_BITS) - 1;
    long first = index - ((long) shift << STEP_BITS);
    return ((first + 1) << shift) - 1;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results that come in any order and in unknown number. Places are given out by one thread at a time; each is written by whoever got it,
 * without a lock, because what has been given out never moves.
 */
final class Results<R extends @Nullable Object> {
  private static final int PIECE = 256;

  private final List<@Nullable Object[]> pieces = new ArrayList<>();
  private int size;

  /** The array that has the next place. */
  @Nullable Object[] piece() {
    if (size % PIECE == 0) {
      pieces.add(new Object[PIECE]);
    }
    return pieces.getLast();
  }

  /** Gives out the next place: its index in {@link #piece}, asked before. */
  int place() {
    return size++ % PIECE;
  }

  /** All results, once all have been written. */
  List<R> toList() {
    @Nullable Object[] all = new Object[size];
    for (int i = 0; i < pieces.size(); i++) {
      int start = i * PIECE;
      System.arraycopy(pieces.get(i), 0, all, start, Math.min(PIECE, size - start));
    }
    @SuppressWarnings("unchecked") // only results are written
    List<R> list = (List<R>) Collections.unmodifiableList(Arrays.asList(all));
    return list;
  }
}

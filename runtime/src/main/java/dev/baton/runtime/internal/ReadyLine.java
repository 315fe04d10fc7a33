// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tasks of one priority that can run, in the order in which they became able to: a ring in an array. */
final class ReadyLine {
  private @Nullable CooperativeTask[] ring = new CooperativeTask[8];
  private int head;
  private int size;

  int size() {
    return size;
  }

  CooperativeTask get(int index) {
    return Objects.requireNonNull(ring[at(index)]);
  }

  void add(CooperativeTask task) {
    if (size == ring.length) {
      grow();
    }
    ring[at(size++)] = task;
  }

  /** Takes one out; those behind it move up. */
  CooperativeTask remove(int index) {
    return index == 0 ? removeFirst() : removeBehind(index);
  }

  private CooperativeTask removeFirst() {
    CooperativeTask task = get(0);
    ring[head] = null;
    head = at(1);
    size--;
    return task;
  }

  private CooperativeTask removeBehind(int index) {
    CooperativeTask task = get(index);
    // Whichever side is shorter moves.
    if (index < size / 2) {
      for (int i = index; i > 0; i--) {
        ring[at(i)] = ring[at(i - 1)];
      }
      ring[head] = null;
      head = at(1);
    } else {
      for (int i = index; i < size - 1; i++) {
        ring[at(i)] = ring[at(i + 1)];
      }
      ring[at(size - 1)] = null;
    }
    size--;
    return task;
  }

  /** Takes one out, and {@code last} comes in at the end. */
  CooperativeTask exchange(int index, CooperativeTask last) {
    if (size == 1) {
      // One place, and nothing else, is written: whoever is next may run on another core.
      CooperativeTask task = get(0);
      ring[head] = last;
      return task;
    }
    CooperativeTask task = remove(index);
    add(last);
    return task;
  }

  /** Puts one that was just taken out back where it was: in front. */
  void addFirst(CooperativeTask task) {
    if (size == ring.length) {
      grow();
    }
    head = at(ring.length - 1);
    ring[head] = task;
    size++;
  }

  private int at(int index) {
    return (head + index) & (ring.length - 1);
  }

  private void grow() {
    @Nullable CooperativeTask[] larger = new CooperativeTask[ring.length * 2];
    for (int i = 0; i < size; i++) {
      larger[i] = ring[at(i)];
    }
    ring = larger;
    head = 0;
  }
}

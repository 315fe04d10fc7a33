// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Actions ordered by their time, and by when they were scheduled if that is the same. A withdrawn one leaves at once. */
final class TimerHeap {
  private @Nullable Entry[] heap = new Entry[8];
  private int size;
  private long scheduled;

  /** An action that waits for its time. */
  static final class Entry {
    final long deadline;
    final Runnable action;
    private long number;

    /** Where it stands in the heap; -1 if it does not. */
    private int index = -1;

    Entry(long deadline, Runnable action) {
      this.deadline = deadline;
      this.action = action;
    }

    private boolean isBefore(Entry other) {
      // The clock may wrap around.
      long difference = deadline - other.deadline;
      return difference < 0 || (difference == 0 && number < other.number);
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The time of the first one; there must be one. */
  long nextDeadline() {
    return at(0).deadline;
  }

  void add(Entry entry) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, size * 2);
    }
    entry.number = scheduled++;
    put(entry, size++);
    siftUp(entry);
  }

  /** Takes the first one out if its time has come, else returns null. */
  @Nullable Entry pollDue(long now) {
    if (size == 0 || nextDeadline() - now > 0) {
      return null;
    }
    Entry first = at(0);
    remove(first);
    return first;
  }

  /** Withdraws an entry; does nothing if it is not there. */
  void remove(Entry entry) {
    int hole = entry.index;
    if (hole < 0) {
      return;
    }
    entry.index = -1;
    Entry last = at(--size);
    heap[size] = null;
    if (last != entry) {
      put(last, hole);
      siftUp(last);
      siftDown(last);
    }
  }

  private void siftUp(Entry entry) {
    while (entry.index > 0) {
      Entry parent = at((entry.index - 1) / 2);
      if (!entry.isBefore(parent)) {
        return;
      }
      swap(entry, parent);
    }
  }

  private void siftDown(Entry entry) {
    for (int left = 2 * entry.index + 1; left < size; left = 2 * entry.index + 1) {
      Entry child = at(left);
      if (left + 1 < size && at(left + 1).isBefore(child)) {
        child = at(left + 1);
      }
      if (!child.isBefore(entry)) {
        return;
      }
      swap(entry, child);
    }
  }

  private void swap(Entry a, Entry b) {
    int index = a.index;
    put(a, b.index);
    put(b, index);
  }

  private void put(Entry entry, int index) {
    heap[index] = entry;
    entry.index = index;
  }

  private Entry at(int index) {
    return Objects.requireNonNull(heap[index]);
  }
}

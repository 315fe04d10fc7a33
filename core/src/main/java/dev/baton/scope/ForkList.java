// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import org.jspecify.annotations.Nullable;

/** A doubly linked list threaded through its forks. Guarded by its owner. */
final class ForkList {
  private @Nullable Fork<?> head;
  private @Nullable Fork<?> tail;

  @Nullable Fork<?> first() {
    return head;
  }

  void append(Fork<?> fork) {
    fork.previous = tail;
    fork.next = null;
    if (tail == null) {
      head = fork;
    } else {
      tail.next = fork;
    }
    tail = fork;
  }

  /** Takes {@code fork}, which stands in this list, out of it. */
  void remove(Fork<?> fork) {
    Fork<?> before = fork.previous;
    Fork<?> after = fork.next;
    if (before == null) {
      head = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      tail = before;
    } else {
      after.previous = before;
    }
    fork.previous = null;
    fork.next = null;
  }

  /** Forgets all, leaving them linked to each other. */
  void clear() {
    head = null;
    tail = null;
  }
}

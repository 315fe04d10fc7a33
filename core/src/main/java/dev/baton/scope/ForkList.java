// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.host.Host;
import org.jspecify.annotations.Nullable;

/** A doubly linked list threaded through its forks. Guarded by its owner. */
final class ForkList {
  private @Nullable Fork<?> head;
  private @Nullable Fork<?> tail;
  private int size;

  @Nullable Fork<?> first() {
    return head;
  }

  @Nullable Fork<?> last() {
    return tail;
  }

  int size() {
    return size;
  }

  void append(Fork<?> fork) {
    fork.previous = tail;
    fork.next = null;
    fork.list = this;
    if (tail == null) {
      head = fork;
    } else {
      tail.next = fork;
    }
    tail = fork;
    size++;
  }

  /** Takes all forks that are gone out of the list. */
  void removeAllGone(Host host) {
    Fork<?> after;
    for (Fork<?> fork = head; fork != null; fork = after) {
      after = fork.next;
      if (fork.isGone(host)) {
        remove(fork);
      }
    }
  }

  /** Takes forks that are gone off the end; returns the last that is not, or null. */
  @Nullable Fork<?> removeLastWhileGone(Host host) {
    Fork<?> last = tail;
    while (last != null && last.isGone(host)) {
      remove(last);
      last = tail;
    }
    return last;
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
    fork.list = null;
    size--;
  }
}

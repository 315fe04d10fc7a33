// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.internal.CooperativeTask.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tasks that have not ended, oldest first: each leads to the {@linkplain CooperativeTask#next next}. */
final class LiveTasks {
  private @Nullable CooperativeTask root;
  private @Nullable CooperativeTask first;
  private @Nullable CooperativeTask last;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The oldest one, or null. */
  @Nullable CooperativeTask first() {
    return first;
  }

  /** The very first one, which stays it when it has ended; null before there is one. */
  @Nullable CooperativeTask root() {
    return root;
  }

  boolean isRootEnded() {
    return root != null && root.is(State.ENDED);
  }

  void add(CooperativeTask task) {
    if (root == null) {
      root = task;
    }
    if (first == null) {
      first = task;
    } else {
      CooperativeTask before = Objects.requireNonNull(last);
      before.next = task;
      task.previous = before;
    }
    last = task;
    size++;
  }

  void remove(CooperativeTask task) {
    CooperativeTask before = task.previous;
    CooperativeTask after = task.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    task.previous = null;
    task.next = null;
    size--;
  }

  /** The names of those that the user has started. */
  List<String> names() {
    List<String> all = new ArrayList<>();
    for (CooperativeTask task = first; task != null; task = task.next) {
      // Our own, such as a callback that goes on by itself, are no one's fault.
      if (task.errand == null && !task.name().startsWith("baton-")) {
        all.add(task.name());
      }
    }
    return List.copyOf(all);
  }
}

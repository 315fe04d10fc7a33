// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Several;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody waits for what was made outside of the run, so that somebody there may wake it.
 *
 * <p>That is asked only when nobody can go on, while waits begin and end all the time. So a wait is only noted when it begins, and
 * looked at when somebody asks: of most nobody ever does.
 */
final class Waits {
  private final boolean closed;
  private final Diagnosis diagnosis;

  /** Those whose waits have not been looked at; and some that have gone on since, each once. */
  private @Nullable CooperativeTask[] unknown = new CooperativeTask[16];

  private int size;

  /** How many are known to wait for the outside. */
  private int forOutside;

  /** In a world that is {@code closed}, a wait for something made outside is as good as any. */
  Waits(boolean closed, Diagnosis diagnosis) {
    this.closed = closed;
    this.diagnosis = diagnosis;
  }

  /** {@code me} has a blocker, and is about to wait for it. */
  void begun(CooperativeTask me) {
    me.waitsForSomething = true;
    if (!me.listed && !closed) {
      list(me);
    }
  }

  private void list(CooperativeTask me) {
    if (size == unknown.length) {
      forgetThoseWhoHaveGoneOn();
      if (size > unknown.length / 2) {
        unknown = Arrays.copyOf(unknown, unknown.length * 2);
      }
    }
    unknown[size++] = me;
    me.listed = true;
  }

  private void forgetThoseWhoHaveGoneOn() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      CooperativeTask task = Objects.requireNonNull(unknown[i]);
      if (task.waitsForSomething) {
        unknown[kept++] = task;
      } else {
        task.listed = false;
      }
    }
    Arrays.fill(unknown, kept, size, null);
    size = kept;
  }

  /** {@code task} waits no more. */
  void ended(CooperativeTask task) {
    task.waitsForSomething = false;
    if (task.waitsForOutside) {
      task.waitsForOutside = false;
      forOutside--;
    }
  }

  /** Whether somebody waits for the outside. */
  boolean areForOutside() {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      CooperativeTask task = Objects.requireNonNull(unknown[i]);
      if (task.waitsForSomething && isForOutside(task) && task.blocker instanceof Several) {
        // Looked at again: what comes from outside may end, and the wait go on for the rest.
        unknown[kept++] = task;
      } else {
        task.waitsForSomething = false;
        task.listed = false;
      }
    }
    Arrays.fill(unknown, kept, size, null);
    size = kept;
    return forOutside > 0;
  }

  private boolean isForOutside(CooperativeTask task) {
    boolean now = diagnosis.awaitedFromOutside(Objects.requireNonNull(task.blocker)) != null;
    if (now != task.waitsForOutside) {
      task.waitsForOutside = now;
      forOutside += now ? 1 : -1;
    }
    return now;
  }
}

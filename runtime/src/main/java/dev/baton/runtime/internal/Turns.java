// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Candidates;
import dev.baton.runtime.Policy.Decider;
import dev.baton.runtime.Priority;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who can run, by priority, and who of them is next. */
final class Turns implements Candidates {
  private final Decider decider;
  private final ReadyLine[] lines = new ReadyLine[Priority.values().length];

  // What is being decided.
  private ReadyLine choosing;
  private @Nullable CooperativeTask running;

  Turns(Decider decider) {
    this.decider = decider;
    for (int i = 0; i < lines.length; i++) {
      lines[i] = new ReadyLine();
    }
    choosing = lines[0];
  }

  void add(CooperativeTask task) {
    lines[level(task)].add(task);
  }

  void addFirst(CooperativeTask task) {
    lines[level(task)].addFirst(task);
  }

  void remove(CooperativeTask task) {
    ReadyLine line = lines[level(task)];
    for (int i = line.size() - 1; i >= 0; i--) {
      if (line.get(i) == task) {
        line.remove(i);
      }
    }
  }

  /**
   * Who is next, taken out of its line. {@code me}, unless it is null, could go on too: it stands in no line, and is put into its
   * own if somebody else is next.
   */
  @Nullable CooperativeTask next(@Nullable CooperativeTask me) {
    int highest = lines.length - 1;
    while (highest >= 0 && lines[highest].size() == 0) {
      highest--;
    }
    if (me == null) {
      return highest < 0 ? null : choose(lines[highest], null);
    }
    int mine = level(me);
    if (highest < mine) {
      return me;
    }
    CooperativeTask next = choose(lines[highest], highest == mine ? me : null);
    if (next != me) {
      add(me);
    }
    return next;
  }

  private static int level(CooperativeTask task) {
    return switch (task.priority) {
      case IDLE -> 0;
      case NORMAL -> 1;
      case HIGH -> 2;
    };
  }

  private CooperativeTask choose(ReadyLine line, @Nullable CooperativeTask me) {
    choosing = line;
    running = me;
    int size = size();
    int chosen = size == 1 ? 0 : decider.choose(this);
    if (chosen < 0 || chosen >= size) {
      throw new IllegalStateException("The policy chose number " + chosen + " of " + size + " tasks.");
    }
    return me != null && chosen == line.size() ? me : line.remove(chosen);
  }

  // ---- what the policy sees ----

  @Override
  public int size() {
    return choosing.size() + (running == null ? 0 : 1);
  }

  @Override
  public int running() {
    return running == null ? -1 : choosing.size();
  }

  @Override
  public int task(int index) {
    return index == choosing.size() ? Objects.requireNonNull(running).number : choosing.get(index).number;
  }
}

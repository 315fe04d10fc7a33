// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Candidates;
import dev.baton.runtime.Policy.Decider;
import dev.baton.runtime.Priority;
import org.jspecify.annotations.Nullable;

/** Who can run, by priority, and who of them is next. */
final class Turns implements Candidates {
  private final Decider decider;
  private final ReadyLine[] lines = new ReadyLine[Priority.values().length];

  // What is being decided: which line, and the number of the running task, or -1. Numbers, because storing a reference costs a
  // barrier of the garbage collector.
  private int choosing;
  private int running;

  /** What the policy has thrown. It is not asked again: from then on everybody has a turn, so that they can end. */
  private @Nullable Throwable failure;

  Turns(Decider decider) {
    this.decider = decider;
    for (int i = 0; i < lines.length; i++) {
      lines[i] = new ReadyLine();
    }
  }

  void add(CooperativeTask task) {
    lines[task.level].add(task);
  }

  void addFirst(CooperativeTask task) {
    lines[task.level].addFirst(task);
  }

  /** Whether somebody of a higher priority than {@code me} stands in line. */
  boolean isHigherReady(CooperativeTask me) {
    for (int i = me.level + 1; i < lines.length; i++) {
      if (lines[i].size() > 0) {
        return true;
      }
    }
    return false;
  }

  void remove(CooperativeTask task) {
    ReadyLine line = lines[task.level];
    // It is mostly the oldest, or the one that came last.
    int i = line.size() > 0 && line.get(0) == task ? 0 : line.size() - 1;
    while (i >= 0 && line.get(i) != task) {
      i--;
    }
    if (i >= 0) {
      line.remove(i);
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
      return highest < 0 ? null : choose(highest, null);
    }
    int mine = me.level;
    if (highest < mine) {
      return me;
    }
    CooperativeTask next = choose(highest, highest == mine ? me : null);
    if (next != me) {
      add(me);
    }
    return next;
  }

  private CooperativeTask choose(int level, @Nullable CooperativeTask me) {
    ReadyLine line = lines[level];
    choosing = level;
    running = me == null ? -1 : me.number;
    int size = size();
    int chosen = size == 1 || failure != null ? 0 : decide(size);
    return me != null && chosen == line.size() ? me : line.remove(chosen);
  }

  private int decide(int size) {
    try {
      int chosen = decider.choose(this);
      if (chosen >= 0 && chosen < size) {
        return chosen;
      }
      failure = new IllegalStateException("The policy chose number " + chosen + " of " + size + " tasks.");
    } catch (Throwable thrown) {
      failure = thrown;
    }
    return 0;
  }

  /** What the policy has thrown, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  // ---- what the policy sees ----

  @Override
  public int size() {
    return lines[choosing].size() + (running < 0 ? 0 : 1);
  }

  @Override
  public int running() {
    return running < 0 ? -1 : lines[choosing].size();
  }

  @Override
  public int task(int index) {
    ReadyLine line = lines[choosing];
    if (index == line.size() && running >= 0) {
      return running;
    }
    return line.get(index).number;
  }
}

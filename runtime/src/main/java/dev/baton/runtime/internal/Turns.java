// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Candidates;
import dev.baton.runtime.Policy.Decider;
import dev.baton.runtime.Priority;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Who can run, by priority, and who of them is next. */
final class Turns implements Candidates {
  private final Turn turn;
  private final Decider decider;
  private final ReadyLine[] lines = new ReadyLine[Priority.values().length];

  /** In whose line somebody stands: a bit for each, that of the lowest priority first. */
  private int occupied;

  // What is being decided: which line, and whether the running task may go on. Mostly the same as the last time, and then not
  // written: the next task may run on another core, which would have to fetch it.
  private int choosing;
  private boolean mayGoOn;

  /** What the policy has thrown. It is not asked again: from then on everybody has a turn, so that they can end. */
  private @Nullable Throwable failure;

  Turns(Turn turn, Decider decider) {
    this.turn = turn;
    this.decider = decider;
    for (int i = 0; i < lines.length; i++) {
      lines[i] = new ReadyLine();
    }
  }

  void add(CooperativeTask task) {
    lines[task.level].add(task);
    occupied |= 1 << task.level;
  }

  void addFirst(CooperativeTask task) {
    lines[task.level].addFirst(task);
    occupied |= 1 << task.level;
  }

  private CooperativeTask take(int level, int index) {
    ReadyLine line = lines[level];
    CooperativeTask taken = line.remove(index);
    if (line.size() == 0) {
      occupied &= ~(1 << level);
    }
    return taken;
  }

  /** Whether somebody of a higher priority than {@code me} stands in line. */
  boolean isHigherReady(CooperativeTask me) {
    return occupied >>> (me.level + 1) != 0;
  }

  void remove(CooperativeTask task) {
    ReadyLine line = lines[task.level];
    // From both ends: it is mostly one of the oldest, or the one that came last, and many may be taken out one after the other.
    int last = line.size() - 1;
    for (int i = 0; i <= last - i; i++) {
      int found = line.get(i) == task ? i : line.get(last - i) == task ? last - i : -1;
      if (found >= 0) {
        take(task.level, found);
        return;
      }
    }
  }

  /**
   * Who is next, taken out of its line. {@code me}, unless it is null, has the turn and could go on too: it stands in no line, and is
   * put into its own if somebody else is next.
   */
  @Nullable CooperativeTask next(@Nullable CooperativeTask me) {
    int highest = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(occupied);
    if (me == null) {
      return highest < 0 ? null : take(highest, choose(highest, false));
    }
    int mine = me.level;
    if (highest < mine) {
      return me;
    }
    if (highest > mine) {
      CooperativeTask next = take(highest, choose(highest, false));
      add(me);
      return next;
    }
    ReadyLine line = lines[highest];
    int chosen = choose(highest, true);
    return chosen == line.size() ? me : line.exchange(chosen, me);
  }

  private int choose(int level, boolean withRunning) {
    int others = lines[level].size();
    return failure != null || (withRunning ? others == 0 : others == 1) ? 0 : decide(level, withRunning);
  }

  private int decide(int level, boolean withRunning) {
    if (choosing != level) {
      choosing = level;
    }
    if (mayGoOn != withRunning) {
      mayGoOn = withRunning;
    }
    int size = size();
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
    return lines[choosing].size() + (mayGoOn ? 1 : 0);
  }

  @Override
  public int running() {
    return mayGoOn ? lines[choosing].size() : -1;
  }

  @Override
  public int task(int index) {
    ReadyLine line = lines[choosing];
    if (index == line.size() && mayGoOn) {
      return Objects.requireNonNull(turn.holder()).number;
    }
    return line.get(index).number;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Frames;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who has taken what and not given it back, as far as it can be told: what a task gives back is taken off its own account, or off
 * the oldest one if it has none.
 */
final class Holdings {
  /** More than so many who hold the same are not told apart: a semaphore may count events, which nobody gives back. */
  private static final int MOST = 1_000;

  private final IdentityHashMap<Object, List<Account>> accounts = new IdentityHashMap<>();
  private final boolean withStacks;

  Holdings(boolean withStacks) {
    this.withStacks = withStacks;
  }

  /** What one task, or no task but a callback, has taken at one place. */
  static final class Account {
    final @Nullable CooperativeTask task;
    final List<StackTraceElement> stack;
    long permits;

    Account(@Nullable CooperativeTask task, long permits, List<StackTraceElement> stack) {
      this.task = task;
      this.permits = permits;
      this.stack = stack;
    }
  }

  void took(Object primitive, @Nullable CooperativeTask task, long permits) {
    if (permits == 0) {
      return;
    }
    List<Account> all = accounts.computeIfAbsent(primitive, p -> new ArrayList<>(2));
    if (!withStacks) {
      for (int i = all.size() - 1; i >= 0; i--) {
        Account account = all.get(i);
        if (account.task == task) {
          account.permits += permits;
          return;
        }
      }
    }
    if (all.size() == MOST) {
      all.removeFirst();
    }
    all.add(new Account(task, permits, withStacks ? Frames.callingStack() : List.of()));
  }

  void gave(Object primitive, @Nullable CooperativeTask task, long permits) {
    List<Account> all = accounts.get(primitive);
    if (all == null) {
      return;
    }
    long left = permits;
    // The last one first: holds are mostly nested.
    for (int i = all.size() - 1; i >= 0 && left > 0; i--) {
      if (all.get(i).task == task) {
        left = takeOff(all, i, left);
      }
    }
    while (left > 0 && !all.isEmpty()) {
      left = takeOff(all, 0, left);
    }
    if (all.isEmpty()) {
      accounts.remove(primitive);
    }
  }

  private static long takeOff(List<Account> all, int index, long permits) {
    Account account = all.get(index);
    long taken = Math.min(permits, account.permits);
    account.permits -= taken;
    if (account.permits == 0) {
      all.remove(index);
    }
    return permits - taken;
  }

  List<Account> of(Object primitive) {
    return accounts.getOrDefault(primitive, List.of());
  }

  void forEach(BiConsumer<Object, List<Account>> action) {
    accounts.forEach(action);
  }
}

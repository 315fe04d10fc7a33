// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Frames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Who has taken what and not given it back, as far as it can be told: what a task gives back is taken off its own account, or off
 * the oldest one if it has none.
 *
 * <p>Written down at every acquire and release, and read when something has gone wrong. So it is a table of its own, by identity and
 * by open addressing, of accounts that are linked and used again: a pair of the two makes no object and moves none.
 *
 * <p>Something that is handed to and fro is taken again as soon as all of it was given back. So the last account of a primitive rests
 * in its place, with nothing on it, until too many do: to store references is dear, and to count is not.
 */
final class Holdings {
  /** More than so many who hold the same are not told apart: a semaphore may count events, which nobody gives back. */
  private static final int MOST = 1_000;

  /** So many accounts that are closed are kept, to be opened again. */
  private static final int SPARE = 64;

  /** So many accounts may rest, and as many as do not: more would keep alive too much of what nobody else knows any more. */
  private static final int RESTING = 16;

  private static final int SMALLEST = 16;

  /** Primitives at their hash or after it, at most half full; and what was taken of each, at the same index, oldest first. */
  private @Nullable Object[] primitives = new Object[SMALLEST];

  private @Nullable Account[] oldest = new Account[SMALLEST];
  private int size;

  // The two that were found last, and where: what is handed over is mostly handed over again.
  private @Nullable Object recent;
  private int recentIndex;
  private @Nullable Object lessRecent;
  private int lessRecentIndex;

  /** How many of those have an account that rests. */
  private int resting;

  private @Nullable Account spare;
  private int spares;
  private final boolean withStacks;

  Holdings(boolean withStacks) {
    this.withStacks = withStacks;
  }

  /** What one task, or no task but a callback, has taken at one place. */
  static final class Account {
    @Nullable CooperativeTask task;
    List<StackTraceElement> stack = List.of();

    /** 0 only for one that rests: then it is the only one of its primitive. */
    long permits;

    /** The next one of the same primitive, which was opened after it. */
    private @Nullable Account newer;
  }

  void took(Object primitive, @Nullable CooperativeTask task, long permits) {
    if (permits == 0) {
      return;
    }
    int index = find(primitive);
    Account first = oldest[index];
    if (first == null) {
      Account opened = open(task, permits);
      primitives[index] = primitive;
      oldest[index] = opened;
      if (++size > primitives.length / 2) {
        rebuild();
      }
      return;
    }
    if (first.permits == 0) {
      wake(first, task, permits);
      return;
    }
    int count = 0;
    Account last = first;
    for (Account each = first; each != null; each = each.newer) {
      if (each.task == task && !withStacks) {
        each.permits += permits;
        return;
      }
      last = each;
      count++;
    }
    last.newer = open(task, permits);
    if (count == MOST) {
      oldest[index] = first.newer;
      close(first);
    }
  }

  void gave(Object primitive, @Nullable CooperativeTask task, long permits) {
    int index = find(primitive);
    Account first = oldest[index];
    if (first != null && first.newer == null) {
      // There is no other: whoever gives, it is off this one.
      if (first.permits > 0 && permits > 0) {
        takeOff(index, first, permits);
        rebuildIfMostRest();
      }
      return;
    }
    long left = permits;
    // The last one first: holds are mostly nested.
    for (Account own = newestOf(task, index); own != null && left > 0; own = newestOf(task, index)) {
      left = takeOff(index, own, left);
    }
    for (Account any = oldest[index]; any != null && any.permits > 0 && left > 0; any = oldest[index]) {
      left = takeOff(index, any, left);
    }
    rebuildIfMostRest();
  }

  private void rebuildIfMostRest() {
    if (resting > RESTING && resting > size / 2) {
      rebuild();
    }
  }

  private @Nullable Account newestOf(@Nullable CooperativeTask task, int index) {
    Account newest = null;
    for (Account each = oldest[index]; each != null; each = each.newer) {
      if (each.task == task && each.permits > 0) {
        newest = each;
      }
    }
    return newest;
  }

  private long takeOff(int index, Account account, long permits) {
    long taken = Math.min(permits, account.permits);
    account.permits -= taken;
    if (account.permits == 0) {
      if (oldest[index] == account && account.newer == null) {
        resting++;
      } else {
        unlink(index, account);
        close(account);
      }
    }
    return permits - taken;
  }

  private void unlink(int index, Account account) {
    Account before = oldest[index];
    if (before == account) {
      oldest[index] = account.newer;
      return;
    }
    while (before != null && before.newer != account) {
      before = before.newer;
    }
    Objects.requireNonNull(before).newer = account.newer;
  }

  // ---- accounts ----

  private Account open(@Nullable CooperativeTask task, long permits) {
    Account account = spare;
    if (account == null) {
      account = new Account();
    } else {
      spare = account.newer;
      account.newer = null;
      spares--;
    }
    account.task = task;
    account.permits = permits;
    if (withStacks) {
      account.stack = Frames.callingStack();
    }
    return account;
  }

  private void wake(Account account, @Nullable CooperativeTask task, long permits) {
    resting--;
    account.permits = permits;
    if (account.task != task) {
      account.task = task;
    }
    if (withStacks) {
      account.stack = Frames.callingStack();
    }
  }

  private void close(Account account) {
    account.task = null;
    account.newer = null;
    if (withStacks) {
      account.stack = List.of();
    }
    if (spares < SPARE) {
      account.newer = spare;
      spare = account;
      spares++;
    }
  }

  // ---- the table ----

  /** Where {@code primitive} is, or would be. */
  private int find(Object primitive) {
    return primitive == recent ? recentIndex : primitive == lessRecent ? lessRecentIndex : search(primitive);
  }

  private int search(Object primitive) {
    int mask = primitives.length - 1;
    int i = place(primitive, mask);
    while (primitives[i] != null && primitives[i] != primitive) {
      i = (i + 1) & mask;
    }
    if (primitives[i] == primitive) {
      lessRecent = recent;
      lessRecentIndex = recentIndex;
      recent = primitive;
      recentIndex = i;
    }
    return i;
  }

  private static int place(Object primitive, int mask) {
    int hash = System.identityHashCode(primitive);
    return (hash ^ (hash >>> 16)) & mask;
  }

  /** Forgets those whose account rests; the others get a table as large as they need, since it is gone through each time. */
  private void rebuild() {
    @Nullable Object[] before = primitives;
    @Nullable Account[] accounts = oldest;
    int length = Math.max(SMALLEST, 4 * Integer.highestOneBit(size - resting));
    primitives = new Object[length];
    oldest = new Account[length];
    size = 0;
    resting = 0;
    recent = null;
    lessRecent = null;
    for (int i = 0; i < before.length; i++) {
      Object primitive = before[i];
      Account account = accounts[i];
      if (primitive != null && account != null) {
        if (account.permits > 0) {
          int index = find(primitive);
          primitives[index] = primitive;
          oldest[index] = account;
          size++;
        } else {
          close(account);
        }
      }
    }
  }

  // ---- for whoever draws ----

  /** Who has taken some of {@code primitive}, oldest first. */
  List<Account> of(Object primitive) {
    return listed(oldest[find(primitive)]);
  }

  void forEach(BiConsumer<Object, List<Account>> action) {
    for (int i = 0; i < primitives.length; i++) {
      Object primitive = primitives[i];
      List<Account> accounts = listed(oldest[i]);
      if (primitive != null && !accounts.isEmpty()) {
        action.accept(primitive, accounts);
      }
    }
  }

  private static List<Account> listed(@Nullable Account first) {
    List<Account> all = new ArrayList<>();
    for (Account each = first; each != null; each = each.newer) {
      if (each.permits > 0) {
        all.add(each);
      }
    }
    return all;
  }
}

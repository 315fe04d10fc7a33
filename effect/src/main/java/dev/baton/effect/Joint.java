// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.host.Waiter.FOREVER;

import dev.baton.host.Awaited;
import dev.baton.host.Several;
import dev.baton.host.Waiter;
import dev.baton.internal.kernel.Request;
import dev.baton.internal.outcome.Outcome;
import dev.baton.sync.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A wait for several at once, which ends when so many of them have ended, or when one has failed. The members may end on any thread.
 */
abstract sealed class Joint extends Waiter implements Awaited, Several {
  private final EffectTask<?> task;
  private final List<? extends Outcome<?>> members;
  private final @Nullable Member[] requests;

  /** How many have still to end; below that, it is decided. */
  private final AtomicInteger missing;

  /** The one that has decided it: the last one missing, or the first one that failed. */
  private volatile int decider = -1;

  /** How many members need not be looked at when it is asked whether one comes from outside. */
  private int looked;

  /** A wait for {@code needed} of {@code members}, none of which had ended. */
  private Joint(EffectTask<?> task, List<? extends Outcome<?>> members, int needed) {
    super(task.run.host(), task.active);
    this.task = task;
    this.members = members;
    this.requests = new Member[members.size()];
    this.missing = new AtomicInteger(needed);
  }

  /** A wait for all: what it is called in reports goes by its class. */
  private static final class OfAll extends Joint {
    OfAll(EffectTask<?> task, List<? extends Outcome<?>> members) {
      super(task, members, members.size());
    }
  }

  /** A wait for the first. */
  private static final class OfFirst extends Joint {
    OfFirst(EffectTask<?> task, List<? extends Outcome<?>> members) {
      super(task, members, 1);
    }
  }

  /** Waits until all have ended, or one has failed. Returns the index of the one that decided it. */
  static int awaitAll(EffectTask<?> task, List<? extends Outcome<?>> members) {
    return await(task, () -> new OfAll(task, members));
  }

  /** Waits until one has ended. Returns the index of the one that decided it. */
  static int awaitFirst(EffectTask<?> task, List<? extends Outcome<?>> members) {
    return await(task, () -> new OfFirst(task, members));
  }

  private static int await(EffectTask<?> task, Supplier<? extends Joint> wait) {
    while (true) {
      Joint joint = wait.get();
      try {
        if (joint.register()) {
          return joint.decider;
        }
        task.prepareToWait();
        if (joint.await(joint, true, FOREVER) == GRANTED) {
          return joint.decider;
        }
      } finally {
        joint.leave();
      }
      task.wasInterrupted();
    }
  }

  /** True: it was decided meanwhile. */
  private boolean register() {
    for (int i = 0; i < requests.length && decider < 0; i++) {
      Member request = new Member(i);
      requests[i] = request;
      if (members.get(i).register(request) != WAITING) {
        requests[i] = null;
        ended(i);
      }
    }
    return decider >= 0;
  }

  private void leave() {
    for (int i = 0; i < requests.length; i++) {
      Member request = requests[i];
      if (request != null) {
        members.get(i).cancel(request);
      }
    }
  }

  private void ended(int index) {
    boolean failed = members.get(index).resultOrNull() instanceof Result.Err<?>;
    while (true) {
      int before = missing.get();
      if (before <= 0) {
        return;
      }
      int after = failed ? 0 : before - 1;
      if (missing.compareAndSet(before, after)) {
        if (after == 0) {
          decider = index;
          decide(GRANTED);
          wake();
        }
        return;
      }
    }
  }

  /** One of them. Waits as the task does, so that it is woken in its order. */
  private final class Member extends Request {
    private final int index;

    Member(int index) {
      super(0, Joint.this.host(), task.active);
      this.index = index;
    }

    @Override
    public void wake() {
      ended(index);
      if (decider < 0 && !task.run.residence().hasTurn()) {
        // It ended outside, and decides nothing: but perhaps nothing outside is awaited any more, and whoever waits for that has to look.
        task.run.host().inTurn(() -> {});
      }
    }
  }

  // ---- for diagnosis ----

  @Override
  public @Nullable Object pendingFrom(Predicate<Object> outside) {
    // Neither comes back: one that has ended, nor one that is not from outside.
    for (; looked < members.size(); looked++) {
      Outcome<?> member = members.get(looked);
      if (member.resultOrNull() == null && outside.test(member)) {
        return member;
      }
    }
    return null;
  }

  @Override
  public List<Object> pendingBesidesTasks() {
    List<Object> all = new ArrayList<>();
    for (Outcome<?> member : members) {
      if (!(member instanceof Awaited) && member.resultOrNull() == null) {
        all.add(member);
      }
    }
    return all;
  }

  @Override
  public List<Object> awaitedTasks() {
    List<Object> all = new ArrayList<>();
    for (Outcome<?> member : members) {
      if (member instanceof Awaited awaited && member.resultOrNull() == null) {
        all.addAll(awaited.awaitedTasks());
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return "any or all of " + members;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Alternatives;
import dev.baton.host.Host;
import dev.baton.host.Native;
import dev.baton.host.Several;
import dev.baton.observe.WaitGraph;
import dev.baton.runtime.internal.Holdings.Account;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** What is written down so that it can be said who waits for what and who holds it. Nothing is decided by it. */
final class Diagnosis {
  private final Host host;
  private final Names names;
  private final Holdings holdings;
  private final LiveTasks tasks;
  private final RunClock clock;
  private final Aside aside;

  // Who was there when the first task had ended.
  private WaitGraph left = new WaitGraph(List.of(), List.of());
  private List<String> leftTasks = List.of();

  /** With {@code lines}, also where things were made and taken. */
  Diagnosis(Host host, boolean lines, LiveTasks tasks, RunClock clock, Aside aside) {
    this.host = host;
    this.names = new Names(lines);
    this.holdings = new Holdings(lines);
    this.tasks = tasks;
    this.clock = clock;
    this.aside = aside;
  }

  void made(Object primitive) {
    names.made(primitive);
  }

  /** {@code task}, or a callback if null, has taken {@code n}. */
  void took(Object primitive, @Nullable CooperativeTask task, long n) {
    holdings.took(primitive, task, n);
  }

  void gave(Object primitive, @Nullable CooperativeTask task, long n) {
    holdings.gave(primitive, task, n);
  }

  /** Called when the first task has just ended. */
  void firstTaskEnded() {
    left = graph();
    leftTasks = tasks.names();
  }

  /** How the run went: {@code problem}, if not null, has ended it. */
  RunEnd report(@Nullable Problem problem, List<Throwable> uncaught, long steps) {
    return new RunEnd(problem, left, leftTasks, Graphs.stillHeld(this), List.copyOf(uncaught), steps);
  }

  /** Who waits for what at present, and who holds it. */
  WaitGraph graph() {
    boolean before = aside.enter();
    try {
      return Graphs.waits(this);
    } finally {
      aside.leave(before);
    }
  }

  /** The name of something that a wait for {@code blocker} waits for and that was made outside of the run; null if nothing was. */
  @Nullable String awaitedFromOutside(Object blocker) {
    if (blocker instanceof Several several) {
      Object pending = several.pendingFrom(member -> nameOfOutside(member) != null);
      return pending == null ? null : nameOfOutside(pending);
    }
    List<Alternatives.Part> parts = Alternatives.of(blocker);
    if (parts == null) {
      return nameOfOutside(blocker);
    }
    for (Alternatives.Part part : parts) {
      String name = nameOfOutside(part.primitive());
      if (name != null) {
        return name;
      }
    }
    return null;
  }

  private @Nullable String nameOfOutside(Object primitive) {
    if (primitive instanceof Native made && made.host() == host && !made.endsFromOutside()) {
      return null;
    }
    Names.Known known = names.of(primitive);
    return known.inside() ? null : known.name();
  }

  // ---- for whoever draws ----

  /** What a wait for {@code blocker} waits for, each once: itself, or any one of several. */
  static Collection<Object> awaited(Object blocker) {
    List<Alternatives.Part> parts = Alternatives.of(blocker);
    if (parts == null || parts.isEmpty()) {
      return List.of(blocker);
    }
    IdentityHashMap<Object, Object> each = new IdentityHashMap<>();
    List<Object> inOrder = new ArrayList<>();
    for (Alternatives.Part part : parts) {
      if (each.put(part.primitive(), part) == null) {
        inOrder.add(part.primitive());
      }
    }
    return inOrder;
  }

  Names.Known known(Object primitive) {
    return names.of(primitive);
  }

  List<Account> accountsOf(Object primitive) {
    return holdings.of(primitive);
  }

  void forEachHeld(BiConsumer<Object, List<Account>> action) {
    holdings.forEach(action);
  }

  @Nullable CooperativeTask firstLive() {
    return tasks.first();
  }

  /** Nanoseconds since {@code task} began to wait. */
  long waited(CooperativeTask task) {
    return clock.nanoTime() - task.since;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Awaited;
import dev.baton.host.Frames;
import dev.baton.host.Several;
import dev.baton.observe.WaitGraph;
import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Resource;
import dev.baton.observe.WaitGraph.Wait;
import dev.baton.runtime.internal.CooperativeTask.State;
import dev.baton.runtime.internal.Holdings.Account;
import dev.baton.sync.Mutex;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws the wait-for graph of a run. Called by whoever has the turn. */
final class Graphs {
  private static final Node A_CALLBACK = Node.unknown("held by a callback");

  /** So many of the things that are waited for together are named: there may be a million. */
  private static final int MOST_NAMED = 10;

  private final Diagnosis run;
  private final List<Wait> waits = new ArrayList<>();
  private final List<Hold> holds = new ArrayList<>();
  private final Map<Long, Resource> resources = new LinkedHashMap<>();

  private Graphs(Diagnosis run) {
    this.run = run;
  }

  /** Everybody who waits, in the order in which the waits began. */
  static WaitGraph waits(Diagnosis run) {
    return new Graphs(run).draw();
  }

  /** What is held of bounded semaphores and locks. */
  static List<Hold> stillHeld(Diagnosis run) {
    Graphs graphs = new Graphs(run);
    run.forEachHeld(
        (primitive, accounts) -> {
          if (isStillHeld(primitive)) {
            graphs.addAccounts(primitive, accounts);
          }
        });
    graphs.holds.sort(Comparator.comparingLong(hold -> hold.resource().id()));
    return List.copyOf(graphs.holds);
  }

  private static boolean isStillHeld(Object primitive) {
    return switch (primitive) {
      case Mutex mutex -> mutex.isLocked();
      case RwLock lock -> lock.isWriteLocked() || lock.readerCount() > 0;
      case Semaphore semaphore -> semaphore.snapshot().held() > 0;
      default -> false;
    };
  }

  private WaitGraph draw() {
    List<CooperativeTask> waiting = new ArrayList<>();
    for (CooperativeTask task = run.firstLive(); task != null; task = task.next) {
      if ((task.is(State.PARKED) || task.is(State.OUTSIDE)) && !(task.blocker instanceof Inward)) {
        waiting.add(task);
      }
    }
    waiting.sort(Comparator.comparingLong(task -> task.since));
    waiting.forEach(this::addWait);
    return new WaitGraph(waits, holds);
  }

  private void addWait(CooperativeTask task) {
    Object blocker = task.blocker;
    Thread thread = task.thread;
    List<StackTraceElement> stack =
        thread == null ? List.of() : Frames.fromOperation(Arrays.asList(thread.getStackTrace()));
    if (blocker == null) {
      Resource foreign = new Resource(-2 - task.number, "something outside of Baton", "", null);
      waits.add(new Wait(node(task), foreign, 0, Duration.ZERO, stack));
      return;
    }
    Duration waited = Duration.ofNanos(run.waited(task));
    for (Object awaited : Diagnosis.awaited(blocker)) {
      boolean seen = resources.containsKey(run.known(awaited).id());
      Resource resource = resource(awaited);
      waits.add(new Wait(node(task), resource, 0, waited, stack));
      if (!seen) {
        addAccounts(awaited, run.accountsOf(awaited));
        addAwaited(awaited, resource);
      }
    }
  }

  private void addAccounts(Object primitive, List<Account> accounts) {
    for (Account account : accounts) {
      Node by = account.task == null ? A_CALLBACK : node(account.task);
      // Only permits are counted: of a lock there is one.
      long permits = primitive instanceof Semaphore ? account.permits : 0;
      holds.add(new Hold(by, resource(primitive), Relation.HOLDS, permits, account.stack));
    }
  }

  private void addAwaited(Object blocker, Resource resource) {
    List<?> tasks =
        blocker instanceof CooperativeTask task
            ? List.of(task)
            : blocker instanceof Awaited awaited ? awaited.awaitedTasks() : List.of();
    for (Object task : tasks) {
      if (task instanceof CooperativeTask ours && !ours.is(State.ENDED)) {
        holds.add(new Hold(node(ours), resource, Relation.ENDS, 0, List.of()));
      }
    }
  }

  private Resource resource(Object primitive) {
    Names.Known known = run.known(primitive);
    return resources.computeIfAbsent(known.id(), id -> new Resource(id, known.name(), state(primitive), known.line()));
  }

  private String state(Object primitive) {
    return switch (primitive) {
      case Semaphore semaphore -> semaphore.available() + " available";
      case Several several -> pending(several.pendingBesidesTasks());
      default -> "";
    };
  }

  /** Names what is waited for together, and has not ended; of many, the first. */
  private String pending(List<Object> all) {
    if (all.isEmpty()) {
      return "";
    }
    List<String> names = all.stream().distinct().limit(MOST_NAMED).map(each -> run.known(each).name()).toList();
    long others = all.stream().distinct().count() - names.size();
    return "waits for " + String.join(", ", names) + (others > 0 ? " and " + others + " more" : "");
  }

  private static Node node(CooperativeTask task) {
    // Counted from 1: 0 stands for nobody in particular.
    return new Node(task.owner().number + 1L, task.name());
  }
}

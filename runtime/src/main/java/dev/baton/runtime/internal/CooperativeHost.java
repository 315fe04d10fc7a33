// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import dev.baton.runtime.Priority;
import dev.baton.runtime.Stall;
import dev.baton.runtime.internal.CooperativeTask.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The host of one run: many tasks, of which one has the turn. What primitives ask a host for is answered here; what that takes stands
 * in the parts:
 *
 * <pre>
 *   Driver       the thread that began the run: waits, finds deadlocks, ends what is left
 *   Scheduler    who has the turn and who is next         Turn, Turns, Relay
 *   Lifecycle    how a task begins and ends               LiveTasks
 *   Parking      how it sleeps and is woken                Waits
 *   Eviction     how it is thrown out
 *   Inbox        what foreign threads have to say
 *   RunClock     time and timers                          TimerHeap, LastingTimers
 *   Course       how far the run is, what ends it
 *   Diagnosis    who waits for what, who holds it         Names, Holdings, Graphs
 *   Residence    what a layer with tasks of its own needs
 * </pre>
 *
 * A task:
 *
 * <pre>
 *   NEW ──▶ RUNNABLE ⇄ PARKED, OUTSIDE      woken, interrupted, in time
 *             │
 *             ▼
 *           ENDED
 * </pre>
 */
public final class CooperativeHost implements Host {
  /** Asked at every operation, so that it stands here too. */
  private final Turn turn = new Turn();

  private final Observer observer;
  private final SplittableRandom random;
  private final @Nullable Chance chance;
  private final List<Throwable> uncaught = new ArrayList<>();
  private final Inbox inbox = new Inbox();
  private final LiveTasks tasks = new LiveTasks();
  private final RunClock clock;
  private final LastingTimers lastingTimers;
  private final Aside aside;
  private final Diagnosis diagnosis;
  private final Course course;
  private final Scheduler scheduler;
  private final Lifecycle lifecycle;
  private final Eviction eviction;
  private final Parking parking;
  private final Driver driver;
  private final Residence residence;

  /** A host for one run, whose driver is the calling thread. */
  public CooperativeHost(RunSettings settings) {
    observer = settings.observer();
    random = new SplittableRandom(settings.seed());
    chance = settings.decider() instanceof Chance decides ? decides : null;
    clock = new RunClock(settings.clock());
    aside = new Aside(uncaught);
    diagnosis = new Diagnosis(this, settings.lines(), tasks, clock, aside);
    course = new Course(turn, settings.stepLimit(), diagnosis);
    lastingTimers = new LastingTimers(settings.closed(), turn, clock, inbox, course);
    Waits waits = new Waits(settings.closed(), diagnosis);
    scheduler = new Scheduler(settings, turn, tasks, clock, inbox, aside, course, waits);
    lifecycle = new Lifecycle(this, settings.lines(), scheduler, tasks, course, diagnosis, uncaught);
    eviction = new Eviction(settings.onStall(), aside, lifecycle, scheduler);
    parking = new Parking(waits, scheduler, clock, inbox, aside, course, eviction);
    driver = new Driver(settings, scheduler, tasks, clock, inbox, course, diagnosis, lifecycle, parking);
    residence = new Residence(settings.closed(), turn, scheduler, lifecycle, parking, course);
  }

  /** Runs {@code body} as the first task, and all it starts, to the end. Called once, by the thread that made this host. */
  public RunEnd run(String name, Runnable body) {
    Hosts.begin(this);
    try {
      driver.run(name, body);
      return diagnosis.report(course.problem(), uncaught, course.steps());
    } finally {
      course.finish();
      lastingTimers.handOn();
      if (!turn.isAbandoned()) {
        Hosts.end(this);
      }
    }
  }

  // ---- switch points ----

  @Override
  public void switchPoint(Object primitive) {
    CooperativeTask me = turn.holder();
    if (me == null || Thread.currentThread() != me.thread) {
      throwOutIfLate();
      return;
    }
    if (me.quiet || aside.isInside()) {
      return;
    }
    if (course.isAborting()) {
      if (eviction.tolerates(me)) {
        return;
      }
      throw eviction.of(me);
    }
    course.step();
    if (isLookedAt()) {
      look(me, primitive);
    }
    course.checkLength();
    if (course.isAborting()) {
      throw eviction.of(me);
    }
    CooperativeTask next = scheduler.pick(me);
    if (next == me) {
      scheduler.stayWith(me);
      return;
    }
    scheduler.switchTo(me, next);
    if (me.unwinding) {
      throw new Unwind();
    }
  }

  /** The caller does not have the turn: it may be a task that did not come back in time, and now does. */
  private void throwOutIfLate() {
    if (course.isOver() && course.problem() instanceof Problem.Stalled) {
      throw new Unwind();
    }
  }

  private void look(CooperativeTask me, Object primitive) {
    boolean before = aside.enter();
    try {
      observer.step(this, me, primitive);
    } catch (Throwable failure) {
      stop(failure);
    } finally {
      aside.leave(before);
    }
  }

  @Override
  public boolean runsCaller() {
    return turn.isOfCallingTask();
  }

  @Override
  public boolean maySpin() {
    return false;
  }

  // ---- waits ----

  @Override
  public void park(Waiter waiter, Object blocker) {
    CooperativeTask me = turn.caller();
    if (Parking.mustSleep(me)) {
      parking.sleep(me, waiter, blocker);
    }
  }

  @Override
  public void parkUntil(Waiter waiter, Object blocker, long deadline) {
    parking.parkUntil(waiter, blocker, deadline);
  }

  @Override
  public void unpark(Waiter waiter) {
    parking.unpark((CooperativeTask) Objects.requireNonNull(waiter.task()));
  }

  // ---- tasks ----

  @Override
  public Object start(String name, Runnable body) {
    // Once the run is over nobody has the turn, though its driver looks like it.
    return turn.isCallers() && !course.isOver()
        ? lifecycle.start(name, body, turn.holder())
        : lifecycle.startFromOutside(name, body);
  }

  @Override
  public Object currentTask() {
    return turn.caller();
  }

  @Override
  public long currentTaskId() {
    // That of the task it works for, if it does: to own a lock is nothing that a thread of a task has for itself.
    return Objects.requireNonNull(turn.caller().owner().thread).threadId();
  }

  @Override
  public String describe(Object task) {
    return ((CooperativeTask) task).name();
  }

  @Override
  public void interrupt(Object task) {
    parking.interrupt((CooperativeTask) task);
  }

  @Override
  public void interruptBlock(Object task, @Nullable Object resident) {
    parking.interruptBlock((CooperativeTask) task, (Resident) resident);
  }

  @Override
  public void interruptBlock(Object task) {
    parking.interruptBlock((CooperativeTask) task);
  }

  @Override
  public boolean isResidentEnding(Object task) {
    Resident resident = ((CooperativeTask) task).resident;
    return resident != null && resident.isEnding();
  }

  @Override
  public boolean hasEnded(Object target) {
    CooperativeTask task = (CooperativeTask) target;
    return task.is(State.ENDED) && !Objects.requireNonNull(task.thread).isAlive();
  }

  @Override
  public void awaitEnd(Object task) {
    parking.awaitEnd((CooperativeTask) task);
  }

  /** The priority of the calling task. */
  public Priority priority() {
    return turn.caller().priority();
  }

  /** Sets the priority of the calling task, and of those that it starts from now on. */
  public void setPriority(Priority priority) {
    turn.caller().setPriority(priority);
    switchPoint(Priority.class);
  }

  // ---- time and chance ----

  @Override
  public long nanoTime() {
    return clock.nanoTime();
  }

  @Override
  public long roughNanoTime() {
    return clock.roughNanoTime();
  }

  @Override
  public Instant now() {
    return clock.now();
  }

  @Override
  public Timer schedule(long deadline, Runnable action) {
    TimerHeap.Entry entry = new TimerHeap.Entry(deadline, action);
    withTurn(() -> clock.add(entry));
    return () -> withTurn(() -> clock.remove(entry));
  }

  @Override
  public Timer scheduleLasting(long deadline, Runnable action) {
    return lastingTimers.add(deadline, action);
  }

  /** Runs {@code action} at once if the calling thread has the turn, else leaves it to whoever has. */
  private void withTurn(Runnable action) {
    if (turn.isCallers()) {
      action.run();
    } else {
      inbox.put(action);
    }
  }

  @Override
  public int nextInt(int bound) {
    if (!turn.isCallers()) {
      return ThreadLocalRandom.current().nextInt(bound);
    }
    int drawn = random.nextInt(bound);
    return chance == null || bound > Chance.MOST ? drawn : (drawn + chance.turnFrom(bound)) % bound;
  }

  // ---- for diagnosis ----

  @Override
  public void made(Object primitive) {
    if (turn.isCallers()) {
      diagnosis.made(primitive);
    }
  }

  @Override
  public void took(Object primitive, long n) {
    if (turn.isCallers()) {
      diagnosis.took(primitive, taker(), n);
    }
  }

  @Override
  public void tookAsync(Object primitive, long n) {
    if (turn.isCallers()) {
      diagnosis.took(primitive, null, n);
    }
  }

  @Override
  public void gave(Object primitive, long n) {
    if (turn.isCallers()) {
      diagnosis.gave(primitive, taker(), n);
    }
  }

  /** Who takes and gives at present; null: a callback, while the driver has the turn. */
  private @Nullable CooperativeTask taker() {
    CooperativeTask holder = turn.holder();
    return holder == null ? null : holder.owner();
  }

  // ---- for a layer above ----

  /** Who lives in the task that has the turn, or null. Asked at every operation of a layer above. */
  @Override
  public @Nullable Resident resident() {
    CooperativeTask task = turn.holder();
    return task == null ? null : task.resident;
  }

  /** What a layer that has tasks of its own needs. */
  public Residence residence() {
    return residence;
  }

  /** Runs {@code action} at once if the calling thread has the turn, else soon, by whoever has it. */
  public void inTurn(Runnable action) {
    withTurn(action);
  }

  // ---- for whoever looks on ----

  /** Whether somebody looks at the steps at present. Asked at each of them. */
  public boolean isLookedAt() {
    return observer != Observer.NOBODY && observer.isLooking();
  }

  /** Who looks on. */
  public Observer observer() {
    return observer;
  }

  /** What {@code primitive} is called in this run. */
  public String nameOf(Object primitive) {
    return diagnosis.known(primitive).name();
  }

  /** Ends the run: {@code reason} is what somebody who looks on has seen, or has thrown. */
  public void stop(Object reason) {
    withTurn(() -> course.stop(reason));
  }

  // ---- for whoever watches, on a foreign thread ----

  /** Whoever watches does so several times a second: notes what time it is. */
  public void lookAtTheClock() {
    clock.look();
  }

  /** Grows whenever something happens. */
  public long progress() {
    return course.progress();
  }

  /** The task that has the turn, if it has it for longer than a moment; null if the driver has. */
  public @Nullable Stall stallOfCurrent(long nanos) {
    CooperativeTask pinned = scheduler.pinned();
    if (pinned != null) {
      return Stalls.of(pinned, Stall.PINNED, nanos);
    }
    CooperativeTask task = turn.holder();
    return task == null ? null : Stalls.of(task, nanos);
  }

  /** The task that has the turn does not come back: the driver goes on without it, and the run ends. */
  public void abandon(Stall stall) {
    course.endBy(new Problem.Stalled(stall));
    // Should it come back after all, its next operation throws it out.
    course.abort();
    scheduler.abandonCurrent();
  }

  /** Interrupts the first task. */
  public void interruptRoot() {
    inbox.put(
        () -> {
          CooperativeTask root = tasks.root();
          if (root != null) {
            parking.interrupt(root);
          }
        });
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Frames;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import dev.baton.observe.WaitGraph;
import dev.baton.runtime.Clock;
import dev.baton.runtime.Engine;
import dev.baton.runtime.Priority;
import dev.baton.runtime.Stall;
import dev.baton.runtime.internal.CooperativeTask.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The host of one run: many tasks, of which one has the turn.
 *
 * <p>Whoever has the turn, a task or the driver, owns everything in here without a lock. It decides itself who is next, on its own
 * stack; then the {@link Relay} gives the turn on. When nobody can go on, the driver has it: it waits for what comes from outside,
 * or finds that nothing can. What comes from foreign threads goes through the inbox.
 *
 * <pre>
 *   NEW ──▶ RUNNING ⇄ READY          at a switch point
 *             │  ▲
 *             ▼  └── READY ◀── PARKED, OUTSIDE      woken, interrupted, in time
 *           ENDED
 * </pre>
 */
public final class CooperativeHost implements Host {
  /** After so many operations a task that is to end is thrown out of those that do not wait, too. */
  private static final int PATIENCE = 100;

  /** After so many operations a task that is to end, and catches whatever it is thrown out with, is left behind. */
  private static final int HOPELESS = 1_000;

  /** So many operations may all tasks that are left take to clean up after they were cancelled. */
  private static final long CLEAN_UP_STEPS = 10_000;

  /** How long it is waited for somebody outside before a deadlock is reported. */
  private static final long GRACE_NANOS = 300_000_000;

  private static final VarHandle PROGRESS;

  static {
    try {
      PROGRESS = MethodHandles.lookup().findVarHandle(CooperativeHost.class, "progress", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final RunSettings settings;
  private final Observer observer;
  private final Relay relay;
  private final Turns turns;
  private final TimerHeap timers = new TimerHeap();
  private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private final SplittableRandom random;
  private final Names names;
  private final Holdings holdings;
  private final List<Throwable> uncaught = new ArrayList<>();
  private final Thread driver = Thread.currentThread();
  private final boolean virtual;

  /** Set while the driver sleeps: whoever puts something in the inbox has to wake it. */
  private volatile boolean driverSleeps;

  /** The thread of the task that did not come back, if the run was given up for that: should it come back, it is still ours. */
  private volatile @Nullable Thread stuck;

  /** Whether the run is over for outsiders. */
  private volatile boolean over;

  /** The task that has the turn, or null if the driver has it. */
  private @Nullable CooperativeTask current;

  private @Nullable CooperativeTask root;
  private @Nullable CooperativeTask firstLive;
  private @Nullable CooperativeTask lastLive;
  private int live;
  private int numbers;

  // Virtual time: a count of nanoseconds, which may wrap around, and the instant that it stands for.
  private long clock;
  private Instant instant;

  private long steps;
  private long stepLimit;
  private int waitingForOutside;
  private int outside;
  private Phase phase = Phase.RUNNING;
  private @Nullable Problem problem;

  // Who was there when the first task had ended.
  private WaitGraph left = new WaitGraph(List.of(), List.of());
  private List<String> leftTasks = List.of();

  /** Set while code runs on behalf of nobody: timers, observers. Their operations are no steps. */
  private boolean quiet;

  /** Grows whenever something happens. Read by whoever watches, in time but ordered with nothing else. */
  private volatile long progress;

  private enum Phase {
    /** As usual. */
    RUNNING,
    /** The first task has ended; those that are left were interrupted and may clean up. */
    CANCELLING,
    /** Everybody is thrown out of whatever they wait for. */
    ABORTING
  }

  /** A host for one run, whose driver is the calling thread. */
  public CooperativeHost(RunSettings settings) {
    this.settings = settings;
    this.observer = settings.observer();
    this.relay = settings.engine() == Engine.STEPPED ? new SteppedRelay(this) : new PortableRelay();
    this.turns = new Turns(settings.decider());
    this.random = new SplittableRandom(settings.seed());
    this.names = new Names(settings.lines());
    this.holdings = new Holdings(settings.lines());
    this.virtual = settings.clock() instanceof Clock.Virtual;
    this.instant = settings.clock() instanceof Clock.Virtual(Instant start) ? start : Instant.EPOCH;
    this.stepLimit = settings.stepLimit();
  }

  // ---- the driver ----

  /** Runs {@code body} as the first task, and all it starts, to the end. Called once, by the thread that made this host. */
  public RunEnd run(String name, Runnable body) {
    Hosts.begin(this);
    try {
      return runToEnd(name, body);
    } finally {
      over = true;
      if (stuck == null) {
        Hosts.end(this);
      }
    }
  }

  private RunEnd runToEnd(String name, Runnable body) {
    CooperativeTask first = newTask(name, body, Priority.NORMAL);
    root = first;
    turns.add(first);
    long idleSince = 0;
    while (live > 0) {
      CooperativeTask next = pick(null);
      if (next != null) {
        idleSince = 0;
        runNext(next);
        relay.drive(next);
        takeTurn();
        if (problem instanceof Problem.Stalled) {
          break;
        }
      } else if (problem != null) {
        abort();
      } else if (awaitsTheWorld() && (!isRootEnded() || mayGoOnCleaningUp(idleSince))) {
        idleSince = idleSince == 0 ? System.nanoTime() : idleSince;
        idle(idleSince);
      } else if (isRootEnded()) {
        endTheRest();
      } else if (!wakeInterrupted()) {
        problem = comesFromOutside() ? awaitsStranger() : new Problem.Deadlock(graph());
      }
    }
    return new RunEnd(problem, left, leftTasks, Graphs.stillHeld(this), List.copyOf(uncaught), steps);
  }

  /**
   * Whether somebody outside wakes a task after all. In a closed world nobody should, and the search does not wait for it; but where
   * everything is written down there is time to look, before it is called a deadlock.
   */
  private boolean comesFromOutside() {
    if (settings.closed() && settings.lines()) {
      sleep(GRACE_NANOS);
    }
    return !inbox.isEmpty();
  }

  private Problem awaitsStranger() {
    String reason =
        "waited for something that a thread outside of this run has just given: such threads run when they like, and cannot be"
            + " searched. Start tasks by a Scope";
    return new Problem.Stalled(Stalls.of(Objects.requireNonNull(firstLive), reason, 0));
  }

  /** Wakes those whose thread was interrupted behind our back. False: nobody's was, and no message says so either. */
  private boolean wakeInterrupted() {
    boolean woken = false;
    for (CooperativeTask task = firstLive; task != null; task = task.next) {
      if (task.state == State.PARKED && Objects.requireNonNull(task.thread).isInterrupted()) {
        makeReady(task);
        woken = true;
      }
    }
    return woken || !inbox.isEmpty();
  }

  /** Whether something that is not ours to decide may let somebody go on: a foreign thread, or real time. */
  private boolean awaitsTheWorld() {
    return awaitsOutside() || (!virtual && !timers.isEmpty());
  }

  /** Those that clean up after the first task has ended may wait for the world, but not for ever. */
  private boolean mayGoOnCleaningUp(long idleSince) {
    return phase == Phase.CANCELLING
        && (idleSince == 0 || System.nanoTime() - idleSince < settings.stallAfter().toNanos());
  }

  private void takeTurn() {
    current = null;
  }

  /** Those who are left after the first task has ended may clean up; after that, or in a closed world, they are thrown out. */
  private void endTheRest() {
    if (phase == Phase.RUNNING && !settings.closed()) {
      phase = Phase.CANCELLING;
      stepLimit = steps + CLEAN_UP_STEPS;
      for (CooperativeTask task = firstLive; task != null; task = task.next) {
        interrupt(task);
      }
    } else {
      abort();
    }
  }

  /** Throws the oldest task that has not ended out of whatever it does. */
  private void abort() {
    phase = Phase.ABORTING;
    CooperativeTask task = Objects.requireNonNull(firstLive);
    if (task.state == State.NEW) {
      turns.remove(task);
      gone(task);
    } else if (task.unwinding && task.state == State.OUTSIDE) {
      // It does not come back: it is left behind.
      gone(task);
    } else {
      task.unwinding = true;
      if (task.state == State.OUTSIDE) {
        Objects.requireNonNull(task.thread).interrupt();
        sleep(Duration.ofMillis(100).toNanos());
      } else {
        makeReady(task);
      }
    }
  }

  /** Waits for what comes from outside, or for the time of the next timer. */
  private void idle(long idleSince) {
    long patience = settings.stallAfter().toNanos() - (System.nanoTime() - idleSince);
    if (patience <= 0) {
      stalled(System.nanoTime() - idleSince);
      patience = settings.stallAfter().toNanos();
    }
    if (problem == null) {
      boolean timed = !virtual && !timers.isEmpty();
      sleep(timed ? Math.min(patience, timers.nextDeadline() - nanoTime()) : patience);
    }
  }

  private void sleep(long nanos) {
    driverSleeps = true;
    if (inbox.isEmpty() && nanos > 0) {
      LockSupport.parkNanos(this, nanos);
      Thread.interrupted();
    }
    driverSleeps = false;
  }

  /** Nothing has happened for a while although the driver has waited. */
  private void stalled(long nanos) {
    for (CooperativeTask task = firstLive; task != null; task = task.next) {
      if (task.state == State.OUTSIDE || task.waitsForOutside) {
        String reason =
            task.state == State.OUTSIDE
                ? "waits outside of Baton"
                : "waits for " + names.of(Objects.requireNonNull(task.blocker)).name() + ", which was made outside of this run";
        Stall stall = Stalls.of(task, reason, nanos);
        if (settings.closed()) {
          problem = new Problem.Stalled(stall);
          return;
        }
        settings.onStall().accept(stall);
      }
    }
  }

  // ---- for whoever watches, on a foreign thread ----

  /** Grows whenever something happens. */
  public long progress() {
    return progress;
  }

  /** The task that has the turn, if it has it for longer than a moment; null if the driver has. */
  public @Nullable Stall stallOfCurrent(long nanos) {
    CooperativeTask pinned = relay.pinned();
    CooperativeTask task = current;
    if (pinned != null && pinned != task) {
      return Stalls.of(pinned, Stall.PINNED, nanos);
    }
    return task == null ? null : Stalls.of(task, nanos);
  }

  /** The task that has the turn does not come back: the driver goes on without it, and the run ends. */
  public void abandon(Stall stall) {
    problem = new Problem.Stalled(stall);
    // Should it come back after all, its next operation throws it out.
    phase = Phase.ABORTING;
    CooperativeTask task = current;
    Thread thread = task == null ? null : task.thread;
    stuck = thread;
    if (thread != null) {
      thread.interrupt();
    }
    relay.abandon();
  }

  /** Interrupts the first task. */
  public void interruptRoot() {
    submit(
        () -> {
          if (root != null) {
            interrupt(root);
          }
        });
  }

  // ---- the turn ----

  private boolean hasTurn() {
    // Not a field of its own: to store one more reference at each switch costs more than this look.
    CooperativeTask task = current;
    return Thread.currentThread() == (task == null ? driver : task.thread);
  }

  @Override
  public boolean runsCaller() {
    Thread caller = Thread.currentThread();
    CooperativeTask task = current;
    return (task != null && caller == task.thread) || caller == stuck;
  }

  private CooperativeTask running() {
    CooperativeTask task = current;
    if (task == null || Thread.currentThread() != task.thread) {
      throw new IllegalStateException(
          "This thread is not a task of the run it waits in: start tasks by a Scope, not by threads that take over its context.");
    }
    return task;
  }

  /** Who is next; {@code me} could go on too, unless it is null. Null: nobody can. */
  private @Nullable CooperativeTask pick(@Nullable CooperativeTask me) {
    while (true) {
      if (!inbox.isEmpty()) {
        drain();
      }
      if (!timers.isEmpty()) {
        fireDue();
      }
      CooperativeTask next = turns.next(me);
      Throwable failure = turns.failure();
      if (failure != null) {
        stop(failure);
      }
      if (next != null || !advanceClock()) {
        return next;
      }
    }
  }

  private void runNext(CooperativeTask next) {
    next.state = State.RUNNING;
    current = next;
  }

  /** {@code me}, which is READY or PARKED, gives the turn to {@code next} and returns when it has it again. */
  private void switchTo(CooperativeTask me, @Nullable CooperativeTask next) {
    if (next != me) {
      if (next == null) {
        takeTurn();
      } else {
        runNext(next);
      }
      if (!relay.handOver(me, next)) {
        stayPinned(me, next);
      }
    }
    me.state = State.RUNNING;
    deliverInterrupt(me);
  }

  /** Interrupts the calling thread, which is that of {@code me}, if somebody has asked for it meanwhile. */
  private static void deliverInterrupt(CooperativeTask me) {
    if (me.interruptPending) {
      me.interruptPending = false;
      Thread.currentThread().interrupt();
    }
  }

  private void stayPinned(CooperativeTask me, @Nullable CooperativeTask next) {
    if (next != null) {
      next.state = next.started ? State.READY : State.NEW;
      turns.addFirst(next);
    }
    turns.remove(me);
    runNext(me);
  }

  /** What throws {@code me} out. Does not return if that is in vain: it would never end, and nor would the run. */
  private Unwind unwind(CooperativeTask me) {
    me.unwinding = true;
    if (++me.stepsWhileUnwinding > HOPELESS) {
      String reason = "catches whatever it is thrown out with, and is left behind";
      quietly(() -> settings.onStall().accept(Stalls.of(me, reason, 0)));
      gone(me);
      CooperativeTask next = pick(null);
      if (next == null) {
        takeTurn();
      } else {
        runNext(next);
      }
      relay.handOver(me, next);
    }
    return new Unwind();
  }

  private void makeReady(CooperativeTask task) {
    switch (task.state) {
      case PARKED -> {
        if (task.waitsForOutside) {
          task.waitsForOutside = false;
          waitingForOutside--;
        }
        task.state = State.READY;
        turns.add(task);
      }
      case OUTSIDE -> {
        outside--;
        task.state = State.READY;
        turns.add(task);
      }
      default -> {
        // It can run already, or is over.
      }
    }
  }

  private void step(CooperativeTask me, Object primitive) {
    steps++;
    happened();
    if (observer.isLooking()) {
      look(me, primitive);
    }
    if (steps > stepLimit && problem == null) {
      tooManySteps();
    }
  }

  private void limit() {
    if (++steps > stepLimit && problem == null) {
      tooManySteps();
    }
  }

  private void tooManySteps() {
    if (phase == Phase.RUNNING) {
      problem = new Problem.TooManySteps(steps - 1, graph());
    }
    phase = Phase.ABORTING;
  }

  /** Ends the run: {@code reason} is what somebody who looks on has seen, or has thrown. */
  public void stop(Object reason) {
    if (!hasTurn()) {
      submit(() -> stop(reason));
    } else if (problem == null) {
      problem = new Problem.Stopped(reason, graph());
      phase = Phase.ABORTING;
    }
  }

  /** Only whoever has the turn writes it. */
  private void happened() {
    PROGRESS.setOpaque(this, (long) PROGRESS.get(this) + 1);
  }

  private void look(CooperativeTask me, Object primitive) {
    boolean before = quiet;
    quiet = true;
    try {
      observer.step(this, me, primitive);
    } catch (Throwable failure) {
      stop(failure);
    } finally {
      quiet = before;
    }
  }

  private void quietly(Runnable action) {
    boolean before = quiet;
    quiet = true;
    try {
      action.run();
    } catch (Throwable failure) {
      uncaught.add(failure);
    } finally {
      quiet = before;
    }
  }

  // ---- tasks ----

  private CooperativeTask newTask(String name, Runnable body, Priority priority) {
    CooperativeTask task = new CooperativeTask(this, numbers++, name, priority);
    task.thread = relay.newThread(task, () -> live(task, body));
    if (firstLive == null) {
      firstLive = task;
    } else {
      CooperativeTask last = Objects.requireNonNull(lastLive);
      last.next = task;
      task.previous = last;
    }
    lastLive = task;
    live++;
    return task;
  }

  /** The life of a task, on its own thread, which has the turn. */
  private void live(CooperativeTask me, Runnable body) {
    deliverInterrupt(me);
    try {
      body.run();
    } catch (Unwind over) {
      // As it should.
    } catch (Throwable failure) {
      uncaught.add(failure);
    }
    Thread.interrupted();
    if (over) {
      // It has come back after all, and there is nobody left to give the turn to.
      Hosts.end(this);
      return;
    }
    happened();
    gone(me);
    CooperativeTask next = pick(null);
    if (next == null) {
      takeTurn();
    } else {
      runNext(next);
    }
    relay.end(me, next);
  }

  private void gone(CooperativeTask task) {
    task.state = State.ENDED;
    live--;
    CooperativeTask before = task.previous;
    CooperativeTask after = task.next;
    if (before == null) {
      firstLive = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      lastLive = before;
    } else {
      after.previous = before;
    }
    task.previous = null;
    task.next = null;
    for (CooperativeTask joiner = task.firstJoiner; joiner != null; joiner = joiner.nextJoiner) {
      makeReady(joiner);
    }
    task.firstJoiner = null;
    if (task == root && problem == null) {
      left = graph();
      leftTasks = names();
    }
  }

  private boolean isRootEnded() {
    return root != null && root.state == State.ENDED;
  }

  /** Stepped: {@code task} sleeps without having given up its turn. Returns who is next. */
  @Nullable CooperativeTask wentOutside(CooperativeTask task) {
    takeTurn();
    happened();
    task.state = State.OUTSIDE;
    outside++;
    // A step too: one that polls outside of Baton for ever would otherwise never be stopped.
    limit();
    CooperativeTask next = pick(null);
    if (next != null) {
      runNext(next);
    }
    return next;
  }

  /** Stepped: the thread of {@code task}, which we have not woken, could go on. Called by any thread. */
  void couldGoOn(CooperativeTask task) {
    submit(
        () -> {
          // Also if it waits for us: it may have been interrupted, and a second interrupt would not be told. But not if this comes
          // too late: it has gone on and waits outside again, and nobody but whoever has woken it then can run it.
          if (task.state != State.OUTSIDE || task.continuation() != null) {
            makeReady(task);
          }
        });
  }

  /** Portable: somebody has interrupted the thread of {@code task} itself, while it waited for its turn. */
  void interruptedByThread(CooperativeTask task) {
    submit(() -> makeReady(task));
  }

  // ---- from outside ----

  private void submit(Runnable action) {
    inbox.add(action);
    if (driverSleeps) {
      LockSupport.unpark(driver);
    }
  }

  private void drain() {
    for (Runnable action = inbox.poll(); action != null; action = inbox.poll()) {
      happened();
      quietly(action);
    }
  }

  private boolean awaitsOutside() {
    return waitingForOutside > 0 || outside > 0;
  }

  // ---- time ----

  private void fireDue() {
    long now = nanoTime();
    for (TimerHeap.Entry due = timers.pollDue(now); due != null; due = timers.pollDue(now)) {
      happened();
      quietly(due.action);
    }
  }

  /** Nobody can run: jumps to the next timer, if time is ours to move. */
  private boolean advanceClock() {
    boolean mayMove = virtual && !timers.isEmpty() && !awaitsOutside();
    if (!mayMove || problem != null || (isRootEnded() && phase != Phase.CANCELLING)) {
      return false;
    }
    long next = timers.nextDeadline();
    instant = later(instant, next - clock);
    clock = next;
    return true;
  }

  private static Instant later(Instant time, long nanos) {
    // Time ends in a billion years.
    return Duration.between(time, Instant.MAX).compareTo(Duration.ofNanos(nanos)) < 0 ? Instant.MAX : time.plusNanos(nanos);
  }

  // ---- the host ----

  @Override
  public void park(Waiter waiter, Object blocker) {
    CooperativeTask me = running();
    if (me.unparked) {
      me.unparked = false;
      return;
    }
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    sleep(me, waiter, blocker);
  }

  @Override
  public void parkUntil(Waiter waiter, Object blocker, long deadline) {
    CooperativeTask me = running();
    TimerHeap.Entry timer = new TimerHeap.Entry(deadline, () -> makeReady(me));
    timers.add(timer);
    try {
      park(waiter, blocker);
    } finally {
      timers.remove(timer);
    }
  }

  private void sleep(CooperativeTask me, @Nullable Waiter waiter, Object blocker) {
    if (phase == Phase.ABORTING) {
      throw unwind(me);
    }
    me.state = State.PARKED;
    me.waiter = waiter;
    me.blocker = blocker;
    me.since = nanoTime();
    if (!settings.closed() && waiter != blocker && waiter != null && !names.of(blocker).inside()) {
      me.waitsForOutside = true;
      waitingForOutside++;
    }
    happened();
    try {
      CooperativeTask next = pick(null);
      switchTo(me, next);
    } finally {
      me.waiter = null;
      me.blocker = null;
    }
    if (me.unwinding) {
      throw new Unwind();
    }
  }

  @Override
  public void unpark(Waiter waiter) {
    CooperativeTask task = (CooperativeTask) Objects.requireNonNull(waiter.task());
    if (!hasTurn()) {
      submit(() -> wake(task));
    } else {
      wake(task);
    }
  }

  private void wake(CooperativeTask task) {
    if (task.state == State.PARKED) {
      makeReady(task);
    } else {
      task.unparked = true;
    }
  }

  @Override
  public Object currentTask() {
    return running();
  }

  @Override
  public long currentTaskId() {
    return Objects.requireNonNull(running().thread).threadId();
  }

  @Override
  public void interrupt(Object target) {
    CooperativeTask task = (CooperativeTask) target;
    if (!hasTurn()) {
      submit(() -> interrupt(task));
    } else if (task == current && !quiet) {
      Thread.currentThread().interrupt();
    } else if (task.state == State.OUTSIDE) {
      Objects.requireNonNull(task.thread).interrupt();
    } else if (task.state != State.ENDED) {
      task.interruptPending = true;
      if (task.state == State.PARKED) {
        makeReady(task);
      }
    }
  }

  @Override
  public String describe(Object task) {
    return ((CooperativeTask) task).name();
  }

  @Override
  public long nanoTime() {
    return virtual ? clock : System.nanoTime();
  }

  @Override
  public Instant now() {
    return virtual ? instant : Instant.now();
  }

  @Override
  public Timer schedule(long deadline, Runnable action) {
    TimerHeap.Entry entry = new TimerHeap.Entry(deadline, action);
    if (hasTurn()) {
      timers.add(entry);
    } else {
      submit(() -> timers.add(entry));
    }
    return () -> {
      if (hasTurn()) {
        timers.remove(entry);
      } else {
        submit(() -> timers.remove(entry));
      }
    };
  }

  @Override
  public Object start(String name, Runnable body) {
    if (!hasTurn()) {
      return startFromOutside(name, body);
    }
    CooperativeTask by = current;
    String shown = name;
    if (shown.isEmpty() && settings.lines()) {
      StackTraceElement line = Frames.callingLine();
      shown = line == null ? "" : "task " + numbers + " (" + line.getFileName() + ":" + line.getLineNumber() + ")";
    }
    CooperativeTask task = newTask(shown, body, by == null ? Priority.NORMAL : by.priority());
    turns.add(task);
    return task;
  }

  private Object startFromOutside(String name, Runnable body) {
    if (over) {
      throw new IllegalStateException("The run is over, and starts no more tasks.");
    }
    // An ordinary thread: the run may be over before it would look into its inbox.
    return Thread.ofVirtual().name(name).start(body);
  }

  @Override
  public boolean hasEnded(Object target) {
    CooperativeTask task = (CooperativeTask) target;
    return task.state == State.ENDED && !Objects.requireNonNull(task.thread).isAlive();
  }

  @Override
  public void awaitEnd(Object target) {
    CooperativeTask task = (CooperativeTask) target;
    if (!hasTurn()) {
      Stalls.joinUninterruptibly(Objects.requireNonNull(task.thread));
      return;
    }
    boolean interrupted = Thread.interrupted();
    CooperativeTask me = running();
    if (task.state != State.ENDED) {
      // Once, however often it is woken before: the list leads from one to the next through the tasks themselves.
      me.nextJoiner = task.firstJoiner;
      task.firstJoiner = me;
    }
    while (task.state != State.ENDED) {
      sleep(me, null, task);
      interrupted |= Thread.interrupted();
    }
    // It has given up its turn for good, so its thread is a few instructions from its end.
    Stalls.joinUninterruptibly(Objects.requireNonNull(task.thread));
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int nextInt(int bound) {
    return hasTurn() ? random.nextInt(bound) : java.util.concurrent.ThreadLocalRandom.current().nextInt(bound);
  }

  @Override
  public boolean maySpin() {
    return false;
  }

  @Override
  public void switchPoint(Object primitive) {
    if (over && problem instanceof Problem.Stalled) {
      // A task that did not come back in time, and now does.
      throw new Unwind();
    }
    if (quiet || !hasTurn() || current == null) {
      return;
    }
    CooperativeTask me = current;
    if (phase == Phase.ABORTING) {
      if (!me.unwinding || me.stepsWhileUnwinding >= PATIENCE) {
        throw unwind(me);
      }
      me.stepsWhileUnwinding++;
      return;
    }
    step(me, primitive);
    if (phase == Phase.ABORTING) {
      throw unwind(me);
    }
    CooperativeTask next = pick(me);
    if (next == me) {
      // One that has just come from outside, or by a timer.
      deliverInterrupt(me);
      return;
    }
    me.state = State.READY;
    switchTo(me, next);
    if (me.unwinding) {
      throw new Unwind();
    }
  }

  // ---- for diagnosis ----

  @Override
  public void made(Object primitive) {
    if (hasTurn()) {
      names.made(primitive);
    }
  }

  @Override
  public void took(Object primitive, long n) {
    if (hasTurn()) {
      holdings.took(primitive, current, n);
    }
  }

  @Override
  public void tookAsync(Object primitive, long n) {
    if (hasTurn()) {
      holdings.took(primitive, null, n);
    }
  }

  @Override
  public void gave(Object primitive, long n) {
    if (hasTurn()) {
      holdings.gave(primitive, current, n);
    }
  }

  /** What {@code primitive} is called in this run. */
  public String nameOf(Object primitive) {
    return names.of(primitive).name();
  }

  Names.Known known(Object primitive) {
    return names.of(primitive);
  }

  Holdings holdings() {
    return holdings;
  }

  /** The task that has the turn, or null if the driver has it. */
  @Nullable CooperativeTask current() {
    return current;
  }

  @Nullable CooperativeTask firstLive() {
    return firstLive;
  }

  WaitGraph graph() {
    boolean before = quiet;
    quiet = true;
    try {
      return Graphs.waits(this);
    } finally {
      quiet = before;
    }
  }

  private List<String> names() {
    List<String> all = new ArrayList<>();
    for (CooperativeTask task = firstLive; task != null; task = task.next) {
      // Our own, such as a callback that goes on by itself, are no one's fault.
      if (!task.name().startsWith("baton-")) {
        all.add(task.name());
      }
    }
    return List.copyOf(all);
  }

  // ---- for tasks ----

  /** Who looks on. */
  public Observer observer() {
    return observer;
  }

  /** The priority of the calling task. */
  public Priority priority() {
    return running().priority();
  }

  /** Sets the priority of the calling task, and of those that it starts from now on. */
  public void setPriority(Priority priority) {
    running().setPriority(priority);
    switchPoint(Priority.class);
  }
}

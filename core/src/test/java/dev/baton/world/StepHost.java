// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.SwitchPoints;
import dev.baton.host.Waiter;
import dev.baton.internal.threads.ThreadHost;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * A host driven by hand: a task runs only while the test lets it, the clock moves only when the test moves it, and a wake-up
 * makes a task ready but does not run it. Tasks run one at a time, each on a thread of its own.
 */
public final class StepHost implements Host {
  private final Random random;
  private final List<Task> tasks = new ArrayList<>();
  private final List<Alarm> alarms = new ArrayList<>();
  private long clock;
  private boolean stopAtSwitchPoints;
  private boolean takeTurns;

  public StepHost(long seed) {
    random = new Random(seed);
    SwitchPoints.activate();
  }

  /** What a task is doing. */
  public enum State {
    READY,
    RUNNING,
    PARKED,
    DONE
  }

  /** A task. Its fields are guarded by the host's monitor, its progress by {@link #step}. */
  public final class Task {
    private final String name;
    private final Thread thread;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore pause = new Semaphore(0);
    private State state = State.READY;
    private boolean unparked;
    private boolean interrupted;
    private Task joiner;

    private Task(String name, Runnable body) {
      this.name = name;
      this.thread =
          Thread.ofVirtual()
              .name(name)
              .unstarted(
                  () -> {
                    turn.acquireUninterruptibly();
                    try {
                      Hosts.runOn(StepHost.this, body);
                    } finally {
                      setState(this, State.DONE);
                      if (joiner != null) {
                        makeReady(joiner);
                      }
                      pause.release();
                    }
                  });
    }

    public State state() {
      synchronized (StepHost.this) {
        return state;
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private record Alarm(long deadline, Runnable action) {}

  // ---- for the test ----

  /** Makes tasks stop before every operation of a primitive, so that the test chooses who goes first. */
  public void stopAtSwitchPoints(boolean stop) {
    stopAtSwitchPoints = stop;
  }

  /** Lets a ready task run until it sleeps, stops at a switch point, or ends. */
  public void step(Task task) {
    synchronized (this) {
      if (task.state != State.READY) {
        throw new IllegalStateException(task + " cannot run: it is " + task.state);
      }
      task.state = State.RUNNING;
    }
    task.turn.release();
    task.pause.acquireUninterruptibly();
  }

  /** Makes tasks take turns: they stop before every operation, and {@link #settle} picks the next one by the seed. */
  public void takeTurns() {
    stopAtSwitchPoints = true;
    takeTurns = true;
  }

  /** Steps ready tasks, oldest first unless they take turns, until none is left. */
  public void settle() {
    for (Task task = nextReady(); task != null; task = nextReady()) {
      step(task);
    }
  }

  /** How many actions wait for their time. */
  public synchronized int alarms() {
    return alarms.size();
  }

  /** Moves the clock; actions and sleepers whose time has come are due, in order. */
  public void advance(long nanos) {
    long end = clock + nanos;
    while (true) {
      Alarm due;
      synchronized (this) {
        due = alarms.stream().min(Comparator.comparingLong(a -> a.deadline - clock)).orElse(null);
        if (due == null || due.deadline - end > 0) {
          clock = end;
          return;
        }
        alarms.remove(due);
        clock = due.deadline - clock > 0 ? due.deadline : clock;
      }
      due.action.run();
    }
  }

  private synchronized Task nextReady() {
    List<Task> ready = tasks.stream().filter(t -> t.state == State.READY).toList();
    if (ready.isEmpty()) {
      return null;
    }
    return takeTurns ? ready.get(random.nextInt(ready.size())) : ready.getFirst();
  }

  // ---- the host ----

  @Override
  public void park(Waiter waiter, Object blocker) {
    sleep(currentTask());
  }

  @Override
  public void parkUntil(Waiter waiter, Object blocker, long deadline) {
    Task task = currentTask();
    Timer timer = schedule(deadline, () -> makeReady(task));
    sleep(task);
    timer.cancel();
  }

  @Override
  public synchronized void unpark(Waiter waiter) {
    Task task = (Task) waiter.task();
    if (task.state == State.PARKED) {
      task.state = State.READY;
    } else {
      task.unparked = true;
    }
  }

  @Override
  public synchronized Task currentTask() {
    Thread me = Thread.currentThread();
    return tasks.stream().filter(t -> t.thread == me).findFirst().orElseThrow();
  }

  @Override
  public long currentTaskId() {
    return currentTask().thread.threadId();
  }

  @Override
  public synchronized void interrupt(Object task) {
    ((Task) task).interrupted = true;
    makeReady((Task) task);
  }

  @Override
  public String describe(Object task) {
    return "task " + task;
  }

  @Override
  public synchronized long nanoTime() {
    return clock;
  }

  @Override
  public Instant now() {
    return Instant.EPOCH.plusNanos(nanoTime());
  }

  @Override
  public synchronized Timer schedule(long deadline, Runnable action) {
    Alarm alarm = new Alarm(deadline, action);
    alarms.add(alarm);
    return () -> {
      synchronized (this) {
        alarms.remove(alarm);
      }
    };
  }

  @Override
  public Task start(String name, Runnable body) {
    Task task = new Task(name, body);
    synchronized (this) {
      tasks.add(task);
    }
    task.thread.start();
    return task;
  }

  @Override
  public boolean hasEnded(Object task) {
    return !((Task) task).thread.isAlive();
  }

  @Override
  public void awaitEnd(Object task) {
    Task ending = (Task) task;
    while (ending.state() != State.DONE) {
      Task me = currentTask();
      synchronized (this) {
        ending.joiner = me;
      }
      giveUpTurn(me, State.PARKED);
    }
    ThreadHost.INSTANCE.awaitEnd(ending.thread);
  }

  @Override
  public synchronized int nextInt(int bound) {
    return random.nextInt(bound);
  }

  @Override
  public boolean maySpin() {
    return false;
  }

  @Override
  public void switchPoint(Object primitive) {
    if (stopAtSwitchPoints) {
      giveUpTurn(currentTask(), State.READY);
    }
  }

  private void sleep(Task task) {
    synchronized (this) {
      if (task.unparked || Thread.currentThread().isInterrupted()) {
        task.unparked = false;
        return;
      }
    }
    giveUpTurn(task, State.PARKED);
  }

  private void giveUpTurn(Task task, State state) {
    setState(task, state);
    task.pause.release();
    task.turn.acquireUninterruptibly();
    synchronized (this) {
      if (task.interrupted) {
        task.interrupted = false;
        task.thread.interrupt();
      }
    }
  }

  private synchronized void setState(Task task, State state) {
    task.state = state;
  }

  private synchronized void makeReady(Task task) {
    if (task.state == State.PARKED) {
      task.state = State.READY;
    }
  }
}

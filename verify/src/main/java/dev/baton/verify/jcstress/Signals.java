// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.sync.Barrier;
import dev.baton.sync.Event;
import dev.baton.sync.Notify;
import dev.baton.sync.OnceCell;
import dev.baton.sync.Promise;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What was written before a signal is read by whoever has got it. The data is plain. */
public class Signals {

  /** Through the store. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "nothing taken, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class StoredNotification {
    private final Notify notify = new Notify();
    private int data;

    @Actor
    public void tell() {
      data = 1;
      notify.notifyOne();
    }

    @Actor
    public void take(I_Result r) {
      r.r1 = notify.tryAwait() ? data : -1;
    }
  }

  /** A notification that finds one stored: whoever takes that one sees the data, or finds a second one. */
  @JCStressTest
  @Outcome(id = {"1, 0", "0, 1", "1, 1"}, expect = ACCEPTABLE, desc = "the data seen, or told again")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class SecondNotification {
    private final Notify notify = new Notify();
    private int data;

    /** With one stored. */
    public SecondNotification() {
      notify.notifyOne();
    }

    @Actor
    public void tell() {
      data = 1;
      notify.notifyOne();
    }

    @Actor
    public void take(II_Result r) {
      r.r1 = notify.tryAwait() ? data : -1;
    }

    @Arbiter
    public void end(II_Result r) {
      r.r2 = notify.tryAwait() ? 1 : 0;
    }
  }

  /** Threads that really sleep. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class NotifiedSleeper {
    private final Notify notify = new Notify();
    private int data;

    @Actor
    public void tell() {
      data = 1;
      notify.notifyOne();
    }

    @Actor
    public void await(I_Result r) {
      notify.awaitUninterruptibly();
      r.r1 = data;
    }
  }

  /** A future that everyone's notification reaches. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not notified yet, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class NotifiedFuture {
    private final Notify notify = new Notify();
    private final CompletableFuture<Void> future = notify.awaitAsync();
    private int data;

    @Actor
    public void tell() {
      data = 1;
      notify.notifyEveryone();
    }

    @Actor
    public void look(I_Result r) {
      r.r1 = future.isDone() ? data : -1;
    }
  }

  /** A future that is cancelled as it is notified. */
  @JCStressTest
  @Outcome(id = {"1, 1", "0, 0"}, expect = ACCEPTABLE, desc = "cancelled and passed on, or notified")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class CancelAgainstNotification {
    private final Notify notify = new Notify();
    private final CompletableFuture<Void> future = notify.awaitAsync();

    @Actor
    public void tell() {
      notify.notifyOne();
    }

    @Actor
    public void cancel(II_Result r) {
      r.r1 = future.cancel(false) ? 1 : 0;
    }

    @Arbiter
    public void end(II_Result r) {
      r.r2 = notify.tryAwait() ? 1 : 0;
    }
  }

  /** Each sees what the other did before it arrived. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class Meeting {
    private final Barrier barrier = Barrier.of(2);
    private int left;
    private int right;

    @Actor
    public void one(II_Result r) {
      left = 1;
      barrier.awaitUninterruptibly();
      r.r1 = right;
    }

    @Actor
    public void other(II_Result r) {
      right = 1;
      barrier.awaitUninterruptibly();
      r.r2 = left;
    }
  }

  private static final class Box {
    int content;

    static Box full() {
      Box box = new Box();
      box.content = 1;
      return box;
    }
  }

  /** Actors may not throw. */
  private static int content(Callable<Box> box) {
    try {
      return box.call().content;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A value with a plain field. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not set yet, or complete")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class CellLookedAt {
    private final OnceCell<Box> cell = new OnceCell<>();

    @Actor
    public void set() {
      cell.trySet(Box.full());
    }

    @Actor
    public void get(I_Result r) {
      Box box = cell.get().orElse(null);
      r.r1 = box == null ? -1 : box.content;
    }
  }

  /** Two initializers: one runs, and both have its value. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one ran, both see the complete value")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class CellInitialized {
    private final OnceCell<Box> cell = new OnceCell<>();
    private int runs;

    @Actor
    public void one(II_Result r) {
      r.r1 = content(() -> cell.getOrInit(this::make));
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = content(() -> cell.getOrInit(this::make));
    }

    private Box make() {
      Box box = Box.full();
      box.content = ++runs;
      return box;
    }
  }

  /** An event that is looked at. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not set yet, or the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class EventLookedAt {
    private final Event event = new Event();
    private int data;

    @Actor
    public void set() {
      data = 1;
      event.set();
    }

    @Actor
    public void look(I_Result r) {
      r.r1 = event.isSet() ? data : -1;
    }
  }

  /** An event that is waited for. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class EventAwaited {
    private final Event event = new Event();
    private int data;

    @Actor
    public void set() {
      data = 1;
      event.set();
    }

    @Actor
    public void await(I_Result r) {
      event.awaitUninterruptibly();
      r.r1 = data;
    }
  }

  /** A promise that is looked at. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not kept yet, or complete")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PromiseLookedAt {
    private final Promise<Box> promise = new Promise<>();

    @Actor
    public void complete() {
      promise.complete(Box.full());
    }

    @Actor
    public void look(I_Result r) {
      r.r1 = promise.future().isDone() ? content(promise.future()::await) : -1;
    }
  }

  /** A promise that is waited for. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "complete")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class PromiseAwaited {
    private final Promise<Box> promise = new Promise<>();

    @Actor
    public void complete() {
      promise.complete(Box.full());
    }

    @Actor
    public void await(I_Result r) {
      r.r1 = content(promise.future()::awaitUninterruptibly);
    }
  }
}

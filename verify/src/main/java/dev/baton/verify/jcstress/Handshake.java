// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.host.Host;
import dev.baton.host.Waiter;
import dev.baton.internal.kernel.Request;
import dev.baton.sync.Semaphore;
import java.time.Instant;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A sleeper stores and then loads, its waker does so the other way round: at least one sees the other. */
public class Handshake {

  /** Who falls asleep and is not woken would sleep for ever. Here it only says that it would. */
  @JCStressTest
  @Outcome(id = {"0, 0", "0, 1", "1, 1"}, expect = ACCEPTABLE, desc = "did not sleep, or was woken")
  @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "the lost wake-up")
  @State
  public static class SleeperAndWaker {
    private final RecordingHost host = new RecordingHost();
    private final Sleeper sleeper = new Sleeper(host);

    @Actor
    public void sleep(II_Result r) {
      try {
        sleeper.await(this, false, FOREVER);
      } catch (FellAsleep e) {
        r.r1 = 1;
      }
    }

    @Actor
    public void wake(II_Result r) {
      sleeper.decide(GRANTED);
      sleeper.wake();
      r.r2 = host.woken;
    }
  }

  /** Threads that really spin, sleep and wake each other: both come back. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both came back")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class EverybodyComesBack {
    private final Semaphore semaphore = Semaphore.of(1);

    @Actor
    public void one(II_Result r) {
      r.r1 = takeTurns();
    }

    @Actor
    public void other(II_Result r) {
      r.r2 = takeTurns();
    }

    private int takeTurns() {
      for (int i = 0; i < 5; i++) {
        semaphore.acquireUninterruptibly();
        semaphore.release();
      }
      return 1;
    }
  }

  private static final class Sleeper extends Request {
    Sleeper(Host host) {
      super(1, host, new Object());
    }
  }

  private static final class FellAsleep extends RuntimeException {
    FellAsleep() {
      super("fell asleep", null, false, false);
    }
  }

  /** Says what would have happened; used by one sleeper and one waker. */
  private static final class RecordingHost implements Host {
    int woken;

    @Override
    public void park(Waiter waiter, Object blocker) {
      throw new FellAsleep();
    }

    @Override
    public void parkUntil(Waiter waiter, Object blocker, long deadline) {
      throw new FellAsleep();
    }

    @Override
    public void unpark(Waiter waiter) {
      woken = 1;
    }

    @Override
    public Object currentTask() {
      return Thread.currentThread();
    }

    @Override
    public long currentTaskId() {
      return Thread.currentThread().threadId();
    }

    @Override
    public void interrupt(Object task) {
      throw new AssertionError("nobody is interrupted here");
    }

    @Override
    public String describe(Object task) {
      return task.toString();
    }

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public Timer schedule(long deadline, Runnable action) {
      throw new AssertionError("nothing is timed here");
    }

    @Override
    public Object start(String name, Runnable task) {
      throw new AssertionError("the actors are all there is");
    }

    @Override
    public boolean hasEnded(Object task) {
      throw new AssertionError("the actors are all there is");
    }

    @Override
    public void awaitEnd(Object task) {
      throw new AssertionError("the actors are all there is");
    }

    @Override
    public int nextInt(int bound) {
      return 0;
    }

    @Override
    public boolean maySpin() {
      return false;
    }

    @Override
    public void switchPoint(Object primitive) {}
  }
}

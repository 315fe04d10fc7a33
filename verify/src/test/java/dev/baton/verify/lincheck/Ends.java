// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import dev.baton.verify.DelegatingHost;

/** How a wait can end, driven by the place where it would fall asleep. */
final class Ends {
  private Ends() {}

  /** A body that may be interrupted. */
  interface Body {
    void run() throws InterruptedException;
  }

  /** Waits sleep until they are woken, or for no reason: Lincheck's own parking may end so. */
  static void whenWoken(Body body) {
    run(new DelegatingHost(), body);
  }

  /** Waits sleep until they are woken, on a flag: a wake-up that is lost is a hang that Lincheck reports. Slow to search. */
  static void onlyWhenWoken(Body body) {
    run(new Sleeping(), body);
  }

  /** The same, but each wait is woken once for no reason, and has to fall asleep again by itself. */
  static void onlyWhenWokenAgain(Body body) {
    run(new Restless(), body);
  }

  /** Every sleeper is interrupted. True if the body was. */
  static boolean byInterrupt(Body body) {
    return !run(new Interrupting(), body);
  }

  /** Every deadline has come when the sleeper wakes up. */
  static void byTimeOut(Body body) {
    run(new Expiring(), body);
  }

  private static boolean run(Host host, Body body) {
    Outcome outcome = new Outcome();
    Hosts.runOn(
        host,
        () -> {
          try {
            body.run();
            outcome.completed = true;
          } catch (InterruptedException e) {
            outcome.completed = false;
          }
        });
    // What was left pending belongs to this wait alone.
    Thread.interrupted();
    return outcome.completed;
  }

  private static final class Outcome {
    boolean completed;
  }

  private static class Sleeping extends DelegatingHost {
    private volatile boolean woken;

    @Override
    public void park(Waiter waiter, Object blocker) {
      while (!woken) {
        Thread.onSpinWait();
      }
      woken = false;
    }

    @Override
    public void unpark(Waiter waiter) {
      woken = true;
    }
  }

  private static final class Restless extends Sleeping {
    private boolean roused;

    @Override
    public void park(Waiter waiter, Object blocker) {
      if (roused) {
        super.park(waiter, blocker);
      }
      roused = true;
    }
  }

  private static final class Interrupting extends DelegatingHost {
    @Override
    public void park(Waiter waiter, Object blocker) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class Expiring extends DelegatingHost {
    private long now;

    @Override
    public void parkUntil(Waiter waiter, Object blocker, long deadline) {
      now = deadline;
    }

    @Override
    public long nanoTime() {
      return now;
    }
  }
}

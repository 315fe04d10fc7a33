// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.sync.Notify;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Notifications against waits that end in every way.
 *
 * <p>One notifier at a time: a notification that has reached a waiter which is about to give up is on its way for a moment, and
 * with a second one beside it no sequential order shows the same results. For a like reason {@code notifyEveryone}, which
 * completes futures one after the other, is kept to scenarios in which a single one is given up.
 */
class NotifyModelTest {

  @Test
  void waitsAndNotificationsBehaveLikeTheirSpecification() {
    Search.randomBriefly(3, 2).sequentialSpecification(Spec.class).check(Futures.class);
  }

  @Test
  void aNotificationThatACancelMeetsIsPassedOn() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(cancelled("notifyOne", 1, 2))
        .addCustomScenario(cancelled("notifyLast", 3, 2))
        .addCustomScenario(
            scenario(
                List.of(call("start", 1)),
                List.of(List.of(call("notifyOne")), List.of(call("end", 1)), List.of(call("start", 2))),
                List.of(call("end", 2), call("tryAwait"))))
        .check(Futures.class);
  }

  private static ExecutionScenario cancelled(
      String notification, int reached, int next) {
    return scenario(
        List.of(call("start", 1), call("start", 2), call("start", 3)),
        List.of(List.of(call(notification)), List.of(call("end", reached))),
        List.of(call("end", next), call("tryAwait")));
  }

  @Test
  void aNotificationForEveryoneReachesEveryoneAndIsNotPassedOn() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(
            scenario(
                List.of(call("start", 1), call("start", 2)),
                List.of(List.of(call("notifyEveryone")), List.of(call("end", 1)), List.of(call("tryAwait"))),
                List.of(call("end", 2), call("tryAwait"))))
        .addCustomScenario(
            scenario(
                List.of(call("start", 1)),
                List.of(List.of(call("notifyEveryone")), List.of(call("start", 2))),
                List.of(call("end", 1), call("notifyOne"), call("end", 2), call("tryAwait"))))
        .check(Futures.class);
  }

  @Test
  void aNotificationThatAnInterruptOrATimeOutMeetsIsNotLost() {
    Search.scriptedBriefly()
        .sequentialSpecification(Spec.class)
        .addCustomScenario(alone("awaitUnlessInterrupted", "notifyOne"))
        .addCustomScenario(alone("awaitUnlessInterrupted", "notifyLast"))
        .addCustomScenario(alone("awaitUnlessTimedOut", "notifyOne"))
        .addCustomScenario(
            scenario(
                List.of(call("start", 1)),
                List.of(List.of(call("awaitUnlessInterrupted")), List.of(call("notifyOne"), call("notifyOne"))),
                List.of(call("end", 1), call("tryAwait"))))
        .check(Futures.class);
  }

  private static ExecutionScenario alone(String wait, String notification) {
    return scenario(List.of(), List.of(List.of(call(wait)), List.of(call(notification))), List.of(call("tryAwait")));
  }

  @Test
  void aSleeperThatIsNotifiedAsItFallsAsleepComesBack() {
    Search.scriptedBriefly()
        .sequentialSpecification(Unspecified.class)
        .addCustomScenario(
            scenario(List.of(Search.call(Sleepers.class, "sleep")), List.of(Search.call(Sleepers.class, "wake"))))
        .check(Sleepers.class);
  }

  private static Actor call(String operation, Object... arguments) {
    return Search.call(Futures.class, operation, arguments);
  }

  /** Each thread has one future at a time. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  public static class Futures {
    private final Notify notify = new Notify();

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final @Nullable CompletableFuture<Void>[] futures = new CompletableFuture[8];

    @Operation
    public boolean start(@Param(name = "thread") int thread) {
      if (futures[thread] != null) {
        return false;
      }
      futures[thread] = notify.awaitAsync();
      return true;
    }

    @Operation
    public String end(@Param(name = "thread") int thread) {
      CompletableFuture<Void> future = futures[thread];
      futures[thread] = null;
      if (future == null) {
        return "NONE";
      }
      return future.cancel(false) ? "GAVE_UP" : "NOTIFIED";
    }

    @Operation
    public boolean tryAwait() {
      return notify.tryAwait();
    }

    @Operation(nonParallelGroup = "notifiers")
    public void notifyOne() {
      notify.notifyOne();
    }

    @Operation(nonParallelGroup = "notifiers")
    public void notifyLast() {
      notify.notifyLast();
    }

    /** By scenario only. */
    public void notifyEveryone() {
      notify.notifyEveryone();
    }

    /** By scenario only. */
    public boolean awaitUnlessInterrupted() {
      return !Ends.byInterrupt(notify::await);
    }

    /** By scenario only. */
    public boolean awaitUnlessTimedOut() {
      boolean[] notified = new boolean[1];
      Ends.byTimeOut(() -> notified[0] = notify.await(Duration.ofNanos(10)));
      return notified[0];
    }
  }

  /** The shortest form we know. */
  public static class Spec {
    private final Deque<Integer> line = new ArrayDeque<>();
    private final Set<Integer> notified = new HashSet<>();
    private final Set<Integer> started = new HashSet<>();
    private boolean stored;

    public boolean start(int thread) {
      if (!started.add(thread)) {
        return false;
      }
      if (tryAwait()) {
        notified.add(thread);
      } else {
        line.add(thread);
      }
      return true;
    }

    public String end(int thread) {
      if (!started.remove(thread)) {
        return "NONE";
      }
      line.remove(thread);
      return notified.remove(thread) ? "NOTIFIED" : "GAVE_UP";
    }

    public boolean tryAwait() {
      boolean taken = stored;
      stored = false;
      return taken;
    }

    public void notifyOne() {
      tell(line.pollFirst());
    }

    public void notifyLast() {
      tell(line.pollLast());
    }

    public void notifyEveryone() {
      notified.addAll(line);
      line.clear();
    }

    /** A wait that ends early leaves no trace. */
    public boolean awaitUnlessInterrupted() {
      return tryAwait();
    }

    public boolean awaitUnlessTimedOut() {
      return tryAwait();
    }

    private void tell(@Nullable Integer thread) {
      if (thread == null) {
        stored = true;
      } else {
        notified.add(thread);
      }
    }
  }

  /** Without spurious wake-ups. */
  public static class Sleepers {
    private final Notify notify = new Notify();

    @Operation
    public void sleep() {
      Ends.onlyWhenWoken(notify::await);
    }

    @Operation
    public void wake() {
      notify.notifyOne();
    }
  }

  /** Nothing is said about results; alone, the sleeper would sleep for ever. */
  public static class Unspecified {
    public void sleep() {}

    public void wake() {}
  }
}

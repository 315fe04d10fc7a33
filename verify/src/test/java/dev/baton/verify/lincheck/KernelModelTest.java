// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Test;

/**
 * The kernel against {@link PermitSpec}: weighted requests, time-outs, interrupts, wrong returns, resize, forget, close.
 *
 * <p>Returns are made by one thread at a time. With two in flight the kernel promises less than one atomic step: a return
 * that has raised the word and not reached the lock yet lets the next one serve a newcomer, while the waiter it will serve
 * may still give up and leave with nothing. No law is broken, but no sequential order shows the same results. For a like
 * reason wrong returns are kept apart from close and from growing: a surplus that meets one of them is dropped by it, without
 * an error.
 */
class KernelModelTest {

  @Test
  void requestsTimeOutsAndInterrupts() {
    Search.random(3, 3).sequentialSpecification(OfThree.class).check(Waits.class);
  }

  @Test
  void changesOfTheLimitAndClose() {
    Search.random(3, 3).sequentialSpecification(OfThree.class).check(Changes.class);
  }

  @Test
  void wrongReturnsBesideEverythingThatNeverWaits() {
    Search.random(3, 3).sequentialSpecification(OfThree.class).check(NoWaits.class);
  }

  @Test
  void aRequestThatLeavesLetsTheNextOneBeConsidered() {
    check(
        scenario(
            List.of(call("tryTake", 2), call("start", 1, 3), call("start", 2, 1)),
            List.of(List.of(call("timeOut", 1)), List.of(call("timeOut", 2))),
            List.of(call("available"))),
        scenario(
            List.of(call("tryTake", 2), call("start", 1, 3), call("start", 2, 1)),
            List.of(List.of(call("interrupt", 1)), List.of(call("release", 1))),
            List.of(call("timeOut", 2), call("available"))));
  }

  @Test
  void aGrantThatAnInterruptMeetsGoesOnToTheNext() {
    check(
        scenario(
            List.of(call("tryTake", 3), call("start", 1, 1), call("start", 2, 1)),
            List.of(List.of(call("interrupt", 1)), List.of(call("release", 1))),
            List.of(call("timeOut", 2), call("tryTake", 1))),
        scenario(
            List.of(call("tryTake", 3), call("start", 1, 2)),
            List.of(List.of(call("interrupt", 1)), List.of(call("release", 2))),
            List.of(call("tryTake", 2), call("tryTake", 1))));
  }

  @Test
  void waitersAreServedInTheOrderInWhichTheyCame() {
    check(
        scenario(
            List.of(call("tryTake", 3), call("start", 1, 1), call("start", 2, 1)),
            List.of(List.of(call("release", 1)), List.of(call("timeOut", 1)), List.of(call("conserved"))),
            List.of(call("timeOut", 2))),
        scenario(
            List.of(call("tryTake", 3)),
            List.of(List.of(call("start", 1, 2)), List.of(call("start", 2, 1)), List.of(call("release", 1), call("release", 2))),
            List.of(call("timeOut", 1), call("timeOut", 2), call("available"))));
  }

  @Test
  void closeAndChangesOfTheLimitMeetThoseOnTheirWay() {
    check(
        scenario(
            List.of(call("tryTake", 3)),
            List.of(List.of(call("start", 1, 1)), List.of(call("close")), List.of(call("release", 1))),
            List.of(call("timeOut", 1), call("available"), call("release", 2))),
        scenario(
            List.of(call("tryTake", 3)),
            List.of(List.of(call("resize", 1)), List.of(call("release", 2))),
            List.of(call("available"), call("tryTake", 1), call("release", 1), call("available"))),
        scenario(
            List.of(call("tryTake", 3), call("start", 1, 2)),
            List.of(List.of(call("resize", 4)), List.of(call("release", 1)), List.of(call("timeOut", 1))),
            List.of(call("available"), call("conserved"))));
  }

  @Test
  void aWrongReturnIsRefusedWhateverItMeets() {
    check(
        scenario(
            List.of(),
            List.of(List.of(call("release", 1)), List.of(call("tryTake", 3)), List.of(call("conserved"))),
            List.of(call("available"))),
        scenario(
            List.of(call("resize", 1)),
            List.of(List.of(call("release", 1)), List.of(call("tryTake", 2))),
            List.of(call("available"))),
        scenario(
            List.of(),
            List.of(List.of(call("release", 1)), List.of(call("forget", 4))),
            List.of(call("available"), call("resize", 3), call("available"))),
        scenario(
            List.of(call("tryTake", 1)),
            List.of(List.of(call("release", 1)), List.of(call("release", 2)), List.of(call("start", 1, 3))),
            List.of(call("timeOut", 1))));
  }

  private static void check(ExecutionScenario... scenarios) {
    ModelCheckingOptions options = Search.scripted().sequentialSpecification(OfThree.class);
    for (ExecutionScenario scenario : scenarios) {
      options.addCustomScenario(scenario);
    }
    options.check(Everything.class);
  }

  private static Actor call(String operation, Object... arguments) {
    return Search.call(Everything.class, operation, arguments);
  }

  /** Three permits. */
  public static class OfThree extends PermitSpec {
    /** All free. */
    public OfThree() {
      super(3);
    }
  }

  /** Who waits and how waits end. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  @Param(name = "n", gen = IntGen.class, conf = "1:3")
  public static class Waits extends KernelOperations {
    /** Three permits. */
    public Waits() {
      super(3);
    }

    @Operation
    public String start(@Param(name = "thread") int thread, @Param(name = "n") int n) {
      return startRequest(thread, n);
    }

    @Operation
    public String timeOut(@Param(name = "thread") int thread) {
      return endByTimeOut(thread);
    }

    @Operation(nonParallelGroup = "returns")
    public void interrupt(@Param(name = "thread") int thread) {
      endByInterrupt(thread);
    }

    @Operation(nonParallelGroup = "returns")
    public boolean release(@Param(name = "n") int n) {
      return giveBack(n);
    }

    @Operation
    public boolean tryTake(@Param(name = "n") int n) {
      return takeIfFree(n);
    }

    @Operation
    public boolean conserved() {
      return addsUp();
    }
  }

  /** The limit and the end. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  @Param(name = "n", gen = IntGen.class, conf = "1:3")
  @Param(name = "limit", gen = IntGen.class, conf = "0:4")
  public static class Changes extends KernelOperations {
    /** Three permits. */
    public Changes() {
      super(3);
    }

    @Operation
    public String start(@Param(name = "thread") int thread, @Param(name = "n") int n) {
      return startRequest(thread, n);
    }

    @Operation
    public String timeOut(@Param(name = "thread") int thread) {
      return endByTimeOut(thread);
    }

    @Operation(nonParallelGroup = "returns")
    public boolean releaseOwn(@Param(name = "thread") int thread) {
      return giveBackOwn(thread);
    }

    @Operation
    public boolean tryTakeOwn(@Param(name = "thread") int thread, @Param(name = "n") int n) {
      return takeOwnIfFree(thread, n);
    }

    @Operation
    public boolean resize(@Param(name = "limit") int limit) {
      return setLimit(limit);
    }

    @Operation
    public long forget(@Param(name = "n") int n) {
      return forgetFree(n);
    }

    @Operation
    public void close() {
      closeQueue();
    }

    @Operation
    public boolean conserved() {
      return addsUp();
    }
  }

  /** Wrong and right returns from all threads. */
  @Param(name = "n", gen = IntGen.class, conf = "1:3")
  public static class NoWaits extends KernelOperations {
    /** Three permits. */
    public NoWaits() {
      super(3);
    }

    @Operation
    public boolean release(@Param(name = "n") int n) {
      return giveBack(n);
    }

    @Operation
    public boolean tryTake(@Param(name = "n") int n) {
      return takeIfFree(n);
    }

    @Operation
    public long forget(@Param(name = "n") int n) {
      return forgetFree(n);
    }

    @Operation
    public long available() {
      return free();
    }

    @Operation
    public boolean conserved() {
      return addsUp();
    }
  }

  /** For scenarios written by hand. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  @Param(name = "n", gen = IntGen.class, conf = "1:3")
  @Param(name = "limit", gen = IntGen.class, conf = "0:4")
  public static class Everything extends KernelOperations {
    /** Three permits. */
    public Everything() {
      super(3);
    }

    @Operation
    public String start(@Param(name = "thread") int thread, @Param(name = "n") int n) {
      return startRequest(thread, n);
    }

    @Operation
    public String timeOut(@Param(name = "thread") int thread) {
      return endByTimeOut(thread);
    }

    @Operation(nonParallelGroup = "returns")
    public void interrupt(@Param(name = "thread") int thread) {
      endByInterrupt(thread);
    }

    @Operation(nonParallelGroup = "returns")
    public boolean release(@Param(name = "n") int n) {
      return giveBack(n);
    }

    @Operation
    public boolean tryTake(@Param(name = "n") int n) {
      return takeIfFree(n);
    }

    @Operation
    public boolean conserved() {
      return addsUp();
    }

    @Operation
    public boolean resize(@Param(name = "limit") int limit) {
      return setLimit(limit);
    }

    @Operation
    public long forget(@Param(name = "n") int n) {
      return forgetFree(n);
    }

    @Operation
    public void close() {
      closeQueue();
    }

    @Operation
    public long available() {
      return free();
    }
  }
}

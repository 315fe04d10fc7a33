// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.runtime.Engine;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.CheckedWorld;
import dev.baton.world.Worlds;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/** The promises of core, each of them under many schedules: the test itself is the program that is checked. */
class ConformanceTest {
  private static final int SEEDS = Integer.getInteger("baton.conformance.seeds", 25);

  private static final List<String> CLASSES =
      List.of(
          "dev.baton.channel.BackPressureTest",
          "dev.baton.channel.BroadcastTest",
          "dev.baton.channel.ChannelAsyncTest",
          "dev.baton.channel.ChannelCancelTest",
          "dev.baton.channel.ChannelCloseTest",
          "dev.baton.channel.ChannelTest",
          "dev.baton.channel.SelectEveryKindTest",
          "dev.baton.channel.SelectTest",
          "dev.baton.channel.WatchTest",
          "dev.baton.pattern.BatchQueueTest",
          "dev.baton.pattern.PoolCancelTest",
          "dev.baton.pattern.PoolTest",
          "dev.baton.pattern.BoundedExecutorTest",
          "dev.baton.pattern.EventsTest",
          "dev.baton.pattern.IdlerTest",
          "dev.baton.pattern.ParallelTest",
          "dev.baton.pattern.ProducerTest",
          "dev.baton.pattern.SingleFlightTest",
          "dev.baton.sync.BarrierTest",
          "dev.baton.sync.BarrierTooLateTest",
          "dev.baton.sync.EventTest",
          "dev.baton.sync.MutexConditionTest",
          "dev.baton.sync.MutexTest",
          "dev.baton.sync.NotifyPassingOnTest",
          "dev.baton.sync.NotifyTest",
          "dev.baton.sync.OnceCellTest",
          "dev.baton.sync.PermitTest",
          "dev.baton.sync.PromiseTest",
          "dev.baton.sync.RwLockCancelTest",
          "dev.baton.sync.RwLockTest",
          "dev.baton.sync.RwLockUpgradeTest",
          "dev.baton.sync.SemaphoreAsyncTest",
          "dev.baton.sync.SemaphoreCancelTest",
          "dev.baton.sync.SemaphoreCloseTest",
          "dev.baton.sync.SemaphoreCountingTest",
          "dev.baton.sync.SemaphoreOrderTest",
          "dev.baton.sync.SyncLawsTest",
          "dev.baton.scope.ContextTest",
          "dev.baton.scope.DeadlineTest",
          "dev.baton.scope.ScopeLawsTest",
          "dev.baton.scope.ScopeTest",
          "dev.baton.scope.TaskTest",
          "dev.baton.scope.TimeTest");

  /**
   * Those that drive a host of their own, wait by a latch of the JDK's, say who is first, have one long task only, or let an error escape from a thread
   * on purpose, which a check has to report.
   */
  private static final Set<String> NOT_HERE =
      Set.of(
          "aKeyThatFailsKeepsNobodyFromTheResult",
          "aKeyThatFailsWhenTheLastLeavesDoesNotKeepTheWorkRunning",
          "aTimeOutOfTheJdksWithdrawsToo",
          "aBufferOfAnySizeIsAQueue",
          "aValueWhoseFutureIsObtrudedGoesToTheHook",
          "tenThousandChainedCallbacksDoNotOverflowTheStack",
          "readersAndWritersNeverMeetAndTheCountsAreExactInTheEnd",
          "noNotificationCountsTwiceAndEachRoundHasAllOfItsArrivals",
          "underEveryScheduleNothingIsLeftBehind",
          "aThreadThatCannotBeStartedLeavesNoTraceAndNoPermitIsLost",
          "pattern02_oneFailureInterruptsTheOthersAndIsThrownItself",
          "aTaskCancelledBeforeItBeginsNeverRuns");

  @TestFactory
  Stream<DynamicTest> everyPromiseHoldsUnderEverySchedule() {
    return CLASSES.stream().flatMap(ConformanceTest::testsOf);
  }

  @Test
  void thereAreMany() {
    assertThat(CLASSES.stream().flatMap(ConformanceTest::testsOf).count()).isGreaterThan(150);
  }

  private static Stream<DynamicTest> testsOf(String className) {
    Class<?> type = load(className);
    if (!InEveryWorld.class.isAssignableFrom(type)) {
      return Stream.of();
    }
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class) && !NOT_HERE.contains(method.getName()))
        .sorted(Comparator.comparing(Method::getName))
        .map(method -> DynamicTest.dynamicTest(type.getSimpleName() + "." + method.getName(), () -> check(type, method)));
  }

  private static void check(Class<?> type, Method test) {
    // A test may end with tasks and permits it does not care for.
    Check check = Check.that(() -> runOnce(type, test)).seeds(SEEDS).allowLeaks().engine(Engine.PORTABLE);
    check.run();
    check.engine(Engine.STEPPED).strategy(Strategy.pct()).run();
  }

  private static void runOnce(Class<?> type, Method test) throws Exception {
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object instance = constructor.newInstance();
    set(instance, "kind", Worlds.STEPPED);
    set(instance, "world", new CheckedWorld());
    test.setAccessible(true);
    try {
      test.invoke(instance);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof TestAbortedException) {
        // It has nothing to say about tasks that take turns.
        return;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (Exception) e.getCause();
    }
  }

  private static void set(Object instance, String name, Object value) throws ReflectiveOperationException {
    Field field = InEveryWorld.class.getDeclaredField(name);
    field.setAccessible(true);
    field.set(instance, value);
  }

  private static Class<?> load(String className) {
    try {
      return Class.forName(className);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}

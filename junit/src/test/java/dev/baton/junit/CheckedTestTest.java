// SPDX-License-Identifier: Apache-2.0
package dev.baton.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventType.REPORTING_ENTRY_PUBLISHED;

import dev.baton.check.CheckFailedError;
import dev.baton.check.Kind;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Mutex;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

class CheckedTestTest {

  // ---- what is found ----

  static class Crossed {
    @CheckedTest
    void deadlocks() throws Exception {
      Mutex a = new Mutex();
      Mutex b = new Mutex();
      try (Scope scope = Scope.open()) {
        scope.fork(() -> a.withLock(() -> b.withLock(() -> 1)));
        scope.fork(() -> b.withLock(() -> a.withLock(() -> 2)));
        scope.join();
      }
    }
  }

  @Test
  void aDeadlockFailsTheTestWithTheWholeReport() {
    EngineExecutionResults results = run(Crossed.class);

    CheckFailedError error = (CheckFailedError) failure(results);
    assertThat(error.report().failure().orElseThrow().kind()).isEqualTo(Kind.DEADLOCK);
    assertThat(error).hasMessageContaining("Found: deadlock").hasMessageContaining("CheckedTestTest.java:");
    assertThat(error).hasMessageContaining("Replay: " + replay(error));
    assertThat(error).hasMessageNotContaining("org.junit");
  }

  @Test
  void theScheduleIsPublished() {
    EngineExecutionResults results = run(Crossed.class);

    Map<String, String> entry =
        results.allEvents()
            .filter(event -> event.getType() == REPORTING_ENTRY_PUBLISHED)
            .map(event -> event.getRequiredPayload(ReportEntry.class).getKeyValuePairs())
            .findFirst()
            .orElseThrow();
    assertThat(entry).containsExactly(Map.entry("baton.replay", replay((CheckFailedError) failure(results))));
  }

  @Test
  void theParameterReplaysOneSchedule() {
    CheckFailedError found = (CheckFailedError) failure(run(Crossed.class));

    CheckFailedError again = (CheckFailedError) failure(run(Crossed.class, Map.of("baton.replay", replay(found))));

    assertThat(again.report().schedules()).isEqualTo(1);
    assertThat(again.report().failure().orElseThrow().steps()).isEqualTo(found.report().failure().orElseThrow().steps());
  }

  static class Pinned {
    static final AtomicInteger RUNS = new AtomicInteger();

    @CheckedTest(replay = "random:5")
    void runsOneSchedule() {
      RUNS.incrementAndGet();
    }
  }

  @Test
  void soDoesTheAnnotation() {
    Pinned.RUNS.set(0);

    run(Pinned.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

    assertThat(Pinned.RUNS).as("twice to see that it does the same, and once the schedule").hasValue(3);
  }

  static class Right {
    @CheckedTest(seeds = 50)
    void sleepsForHours() throws Exception {
      Semaphore permits = Semaphore.of(1);
      try (Scope scope = Scope.open()) {
        for (int i = 0; i < 3; i++) {
          scope.fork(
              () -> {
                permits.acquire();
                Time.sleep(Duration.ofHours(1));
                permits.release();
                return null;
              });
        }
        scope.join();
      }
    }
  }

  @Test
  void aBodyWithoutMistakesPassesSilentlyAndInVirtualTime() {
    EngineExecutionResults results = run(Right.class);

    results.testEvents().assertStatistics(stats -> stats.started(1).succeeded(1));
    assertThat(results.allEvents().filter(event -> event.getType() == REPORTING_ENTRY_PUBLISHED)).isEmpty();
  }

  static class Racy {
    private int total;

    @CheckedTest(strategy = "exhaustive:1")
    void losesAnUpdate() throws Exception {
      Mutex lock = new Mutex();
      try (Scope scope = Scope.open()) {
        for (int i = 0; i < 2; i++) {
          scope.fork(
              () -> {
                int seen = lock.withLock(() -> total);
                lock.withLock(() -> total = seen + 1);
                return null;
              });
        }
        scope.join();
      }
      assertEquals(2, total);
    }
  }

  @Test
  void anAssertionThatFailsOnSomeScheduleIsTheCause() {
    CheckFailedError error = (CheckFailedError) failure(run(Racy.class));

    assertThat(error.report().failure().orElseThrow().kind()).isEqualTo(Kind.EXCEPTION);
    assertThat(error).hasCauseInstanceOf(AssertionError.class).hasMessageContaining("expected: <2> but was: <1>");
    assertThat(replay(error)).startsWith("path:");
  }

  static class Changing {
    private static int runs;

    @CheckedTest
    void differs() throws Exception {
      if (runs++ % 2 == 0) {
        new Mutex().withLock(() -> 1);
      }
    }
  }

  @Test
  void aTestThatIsNotDeterministicSaysSo() {
    assertThat(failure(run(Changing.class))).hasMessageContaining("not deterministic");
  }

  static class Assuming {
    @CheckedTest
    void onlyElsewhere() {
      assumeTrue(false, "not here");
    }
  }

  @Test
  void aFailedAssumptionAbortsTheTest() {
    run(Assuming.class).testEvents().assertStatistics(stats -> stats.aborted(1).failed(0));
  }

  static class AssumingAndFailing {
    @AfterEach
    void fails() {
      throw new AssertionError("not cleaned up");
    }

    @CheckedTest
    void assumes() {
      assumeTrue(false, "not here");
    }
  }

  @Test
  void aFailureAfterAFailedAssumptionFailsTheTest() {
    EngineExecutionResults results = run(AssumingAndFailing.class);

    results.testEvents().assertStatistics(stats -> stats.aborted(0).failed(1));
    assertThat(failure(results)).hasMessageContaining("not cleaned up");
  }

  static class FailingTwiceAlike {
    private final AssertionError kept = new AssertionError("kept");

    @AfterEach
    void failsAlike() {
      throw kept;
    }

    @CheckedTest
    void fails() {
      throw kept;
    }
  }

  @Test
  void aMethodAfterwardsMayThrowWhatTheTestHasThrown() {
    assertThat(failure(run(FailingTwiceAlike.class))).hasMessageContaining("AssertionError: kept");
  }

  static class Leaking {
    @CheckedTest
    void leaks() {
      new Mutex().lock();
    }

    @CheckedTest(allowLeaks = true)
    void mayLeak() {
      new Mutex().lock();
    }

    @CheckedTest(steps = 10)
    void goesOn() throws Exception {
      Semaphore permits = Semaphore.of(1);
      for (int i = 0; i < 100; i++) {
        permits.withPermit(() -> null);
      }
    }

    @CheckedTest(timeMillis = 50, strategy = "pct:2", firstSeed = 7)
    void endsByTime() {}
  }

  @Test
  void everySettingReachesTheCheck() {
    EngineExecutionResults results = run(Leaking.class);

    results.testEvents().assertStatistics(stats -> stats.succeeded(2).failed(2));
    assertThat(failures(results))
        .extracting(error -> ((CheckFailedError) error).report().failure().orElseThrow().kind())
        .containsExactlyInAnyOrder(Kind.LEAKED_PERMIT, Kind.LIVELOCK);
  }

  static class Wrong {
    @CheckedTest(seeds = -1)
    void negative() {}

    @CheckedTest(strategy = "clever")
    void unknown() {}

    @CheckedTest(replay = "five")
    void nowhere() {}

    @CheckedTest(timeMillis = -5)
    void backwards() {}
  }

  @Test
  void whatMakesNoSenseSaysSoAndNamesTheTest() {
    assertThat(failures(run(Wrong.class)))
        .extracting(Throwable::getMessage)
        .anySatisfy(message -> assertThat(message).contains("@CheckedTest on Wrong.negative", "at least 1 schedule, not -1"))
        .anySatisfy(message -> assertThat(message).contains("@CheckedTest on Wrong.unknown", "There is no strategy 'clever'"))
        .anySatisfy(message -> assertThat(message).contains("@CheckedTest on Wrong.nowhere", "'five' names no schedule"))
        .anySatisfy(message -> assertThat(message).contains("@CheckedTest on Wrong.backwards", "is not positive"))
        .hasSize(4);
  }

  // ---- instances and the methods around the test ----

  abstract static class Base {
    static final List<String> CALLS = new ArrayList<>();

    @BeforeEach
    void baseBefore() {
      CALLS.add("base before");
    }

    @AfterEach
    void baseAfter() {
      CALLS.add("base after");
    }
  }

  static class Fresh extends Base {
    private int field;

    @BeforeEach
    void before(TestInfo info) {
      CALLS.add("before " + info.getTestMethod().orElseThrow().getName());
      field++;
    }

    @CheckedTest(replay = "random:0")
    void body(TestInfo info) {
      CALLS.add("body " + ++field + " " + info.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void after() {
      CALLS.add("after");
    }
  }

  @Test
  void everyScheduleHasAnInstanceOfItsOwnAndRunsTheMethodsAround() {
    Base.CALLS.clear();

    run(Fresh.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

    List<String> once = List.of("base before", "before body", "body 2 body", "after", "base after");
    List<String> thrice = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      thrice.addAll(once);
    }
    assertThat(Base.CALLS).isEqualTo(thrice);
  }

  static class Outer {
    static final List<String> CALLS = new ArrayList<>();
    private int outerField;

    @BeforeEach
    void before() {
      outerField++;
    }

    @Nested
    class Inner {
      private final int innerField;

      Inner(TestInfo info) {
        innerField = info.getDisplayName().isEmpty() ? 0 : 1;
      }

      @CheckedTest(replay = "random:0")
      void body() {
        CALLS.add(++outerField + " " + innerField);
      }
    }
  }

  @Test
  void nestedClassesGetNewOuterInstancesToo() {
    Outer.CALLS.clear();

    run(Outer.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

    assertThat(Outer.CALLS).containsExactly("2 1", "2 1", "2 1");
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class Shared {
    static final List<Integer> SEEN = new ArrayList<>();
    private int field;

    @CheckedTest(replay = "random:0")
    void body() {
      SEEN.add(++field);
    }
  }

  @Test
  void aClassWithOneInstanceKeepsIt() {
    Shared.SEEN.clear();

    run(Shared.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

    assertThat(Shared.SEEN).containsExactly(1, 2, 3);
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class SharedAround {
    static final List<String> SEEN = new ArrayList<>();
    private String made = "nothing";
    private int outerField;

    @BeforeAll
    void once() {
      made = "once";
    }

    @Nested
    class Inner {
      private int innerField;

      @CheckedTest(replay = "random:0")
      void body() {
        SEEN.add(made + " " + ++outerField + " " + ++innerField);
      }
    }
  }

  @Test
  void aClassWithOneInstanceKeepsItForThoseThatAreNestedInIt() {
    SharedAround.SEEN.clear();

    run(SharedAround.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

    assertThat(SharedAround.SEEN).containsExactly("once 1 1", "once 2 1", "once 3 1");
  }

  static class AroundShared {
    static final List<String> SEEN = new ArrayList<>();
    private int outerField;

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Inner {
      private int innerField;

      @CheckedTest(replay = "random:0")
      void body() {
        SEEN.add(++outerField + " " + ++innerField);
      }
    }
  }

  @Test
  void aNestedClassWithOneInstanceKeepsTheOneAroundItToo() {
    AroundShared.SEEN.clear();

    run(AroundShared.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

    assertThat(AroundShared.SEEN).containsExactly("1 1", "2 2", "3 3");
  }

  static class Unclean {
    @CheckedTest
    void fails() {
      throw new IllegalStateException("body");
    }

    @AfterEach
    void failsToo() {
      throw new IllegalArgumentException("after");
    }
  }

  @Test
  void aFailureAfterwardsDoesNotHideTheFirst() {
    CheckFailedError error = (CheckFailedError) failure(run(Unclean.class));

    assertThat(error).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(error.getCause().getSuppressed()).hasExactlyElementsOfTypes(IllegalArgumentException.class);
  }

  static class Ordinary {
    static final List<String> CALLS = new ArrayList<>();

    @BeforeEach
    void before() {
      CALLS.add("before");
    }

    @Test
    void plain() {
      CALLS.add("plain");
    }
  }

  @Test
  void plainTestsAreLeftAlone() {
    Ordinary.CALLS.clear();

    run(Ordinary.class).testEvents().assertStatistics(stats -> stats.succeeded(1));

    assertThat(Ordinary.CALLS).containsExactly("before", "plain");
  }

  // ---- running them ----

  private static EngineExecutionResults run(Class<?> tests) {
    return run(tests, Map.of());
  }

  private static EngineExecutionResults run(Class<?> tests, Map<String, String> parameters) {
    return EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests)).configurationParameters(parameters).execute();
  }

  private static Throwable failure(EngineExecutionResults results) {
    List<Throwable> failures = failures(results);
    assertThat(failures).hasSize(1);
    return failures.getFirst();
  }

  private static List<Throwable> failures(EngineExecutionResults results) {
    return results.testEvents().failed().stream()
        .map(CheckedTestTest::thrown)
        .toList();
  }

  private static Throwable thrown(Event event) {
    return event.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
  }

  private static String replay(CheckFailedError error) {
    return error.report().failure().orElseThrow().replay();
  }
}

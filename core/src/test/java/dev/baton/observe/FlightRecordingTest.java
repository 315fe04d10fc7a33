// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static dev.baton.world.RealTime.eventually;
import static dev.baton.world.RealTime.pass;
import static dev.baton.world.RealTime.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.channel.Channel;
import dev.baton.channel.Select;
import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import dev.baton.sync.VoidBody;
import dev.baton.world.World;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Real recordings of this very process, with the settings that Baton ships. */
@Timeout(120)
@Isolated // a recording is of the whole JVM
class FlightRecordingTest {
  private static final String WAIT = "dev.baton.Wait";
  private static final Duration LONG = Duration.ofMillis(60);

  @TempDir Path folder = Path.of("");

  /** Records {@code body} with the settings of Baton's, and returns the events of the type {@code name}. */
  private List<RecordedEvent> record(String name, VoidBody<Exception> body) throws Exception {
    try (Reader settings =
            new InputStreamReader(
                Objects.requireNonNull(Baton.class.getResourceAsStream("/META-INF/jfr/baton.jfc")), StandardCharsets.UTF_8);
        Recording recording = new Recording(Configuration.create(settings))) {
      recording.start();
      body.run();
      recording.stop();
      return read(recording, name);
    }
  }

  private List<RecordedEvent> read(Recording recording, String name) throws Exception {
    Path file = Files.createTempFile(folder, "flight", ".jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .toList();
  }

  // ---- waits ----

  @Test
  void aWaitLongerThanTheThresholdIsRecorded() throws Exception {
    Semaphore semaphore = Semaphore.of(3).named("recorded");
    List<RecordedEvent> waits =
        record(
            WAIT,
            () -> {
              semaphore.acquire(3);
              Thread waiter = start("the waiter", () -> semaphore.acquire(2));
              eventually(() -> semaphore.waiting() == 1);
              pass(LONG);
              semaphore.release(3);
              waiter.join();
            });
    assertThat(waits).hasSize(1);
    RecordedEvent wait = waits.getFirst();
    assertThat(wait.getString("kind")).isEqualTo("Semaphore");
    assertThat(wait.getString("name")).isEqualTo("recorded");
    assertThat(wait.getString("primitive")).startsWith("Semaphore \"recorded\"@");
    assertThat(wait.getLong("permits")).isEqualTo(2);
    assertThat(wait.getString("outcome")).isEqualTo("granted");
    assertThat(wait.getDuration()).isBetween(LONG.dividedBy(2), World.PATIENCE);
    assertThat(wait.getThread().getJavaName()).isEqualTo("the waiter");
    assertThat(wait.getStackTrace().getFrames())
        .anyMatch(frame -> frame.getMethod().getType().getName().equals(Semaphore.class.getName()));
  }

  @Test
  void theWaitOfASelectIsRecordedForWhatEndedIt() throws Exception {
    Semaphore semaphore = Semaphore.of(2).named("recorded");
    Channel<String> idle = Channel.rendezvous();
    List<RecordedEvent> waits =
        record(
            WAIT,
            () -> {
              semaphore.acquire(2);
              Thread served = start("served", Select.of(Select.receive(idle, value -> ""), Select.permits(semaphore, 2, permit -> ""))::run);
              eventually(() -> semaphore.waiting() == 1);
              pass(LONG);
              semaphore.release(2);
              served.join();
              Select.of(Select.receive(idle, value -> ""), Select.after(LONG, () -> "")).run();
            });
    assertThat(waits).extracting(wait -> wait.getString("kind")).containsExactly("Semaphore", "Select");
    assertThat(waits).extracting(wait -> wait.getString("name")).containsExactly("recorded", "");
    assertThat(waits).extracting(wait -> wait.getLong("permits")).containsExactly(2L, 0L);
    assertThat(waits).extracting(wait -> wait.getString("outcome")).containsExactly("granted", "timed out");
  }

  @Test
  void aShortWaitIsNot() throws Exception {
    Semaphore semaphore = Semaphore.of(1).named("recorded");
    semaphore.acquire();
    List<RecordedEvent> waits =
        record(WAIT, () -> assertThat(semaphore.tryAcquire(Duration.ofNanos(100_000))).isFalse());
    assertThat(waits).allMatch(wait -> wait.getDuration().compareTo(Duration.ofMillis(10)) >= 0);
  }

  @Test
  void everyOutcomeHasItsName() throws Exception {
    Semaphore semaphore = Semaphore.of(1);
    List<RecordedEvent> waits =
        record(
            WAIT,
            () -> {
              semaphore.acquire();
              assertThat(semaphore.tryAcquire(LONG)).isFalse();
              Thread interrupted = start("interrupted", semaphore::acquire);
              eventually(() -> semaphore.waiting() == 1);
              pass(LONG);
              interrupted.interrupt();
              interrupted.join();
              var cancelled = semaphore.acquireAsync();
              var late = semaphore.acquireAsync(LONG);
              Thread closed = start("closed", semaphore::acquire);
              eventually(late::isDone);
              cancelled.cancel(true);
              semaphore.close();
              closed.join();
            });
    assertThat(waits).extracting(wait -> wait.getString("outcome"))
        .containsExactlyInAnyOrder("timed out", "interrupted", "timed out", "given up", "closed");
    assertThat(waits).allMatch(wait -> wait.getString("name").isEmpty());
  }

  @Test
  void withoutARecordingNothingIsKept() throws Exception {
    Mutex mutex = new Mutex();
    mutex.lock();
    Thread waiter = start("unseen", mutex::lockInterruptibly);
    eventually(() -> mutex.waiting() == 1);
    pass(LONG);
    mutex.unlock();
    waiter.join();
    assertThat(record(WAIT, () -> {})).isEmpty();
  }

  // ---- leaks ----

  @Test
  void aPermitThatNobodyCanCloseAnyMoreIsRecorded() throws Exception {
    Semaphore semaphore = Semaphore.of(5).named("leaky");
    try (Recording recording = new Recording()) {
      recording.enable("dev.baton.PermitLeak").withPeriod(Duration.ofMillis(20));
      recording.start();
      start("the forgetful", () -> leak(semaphore)).join();
      Permit kept = semaphore.hold();
      semaphore.hold().close();
      AtLeastOnce leaks = new AtLeastOnce();
      Gc.until(() -> leaks.arrived(recording, "leaky"), "the leak is recorded");
      recording.stop();
      List<RecordedEvent> events = leaks(recording, "leaky");
      assertThat(events).hasSize(1);
      RecordedEvent leak = events.getFirst();
      assertThat(leak.getString("name")).isEqualTo("leaky");
      assertThat(leak.getString("semaphore")).startsWith("Semaphore \"leaky\"@");
      // Of three, one was split off and closed.
      assertThat(leak.getLong("permits")).isEqualTo(2);
      assertThat(leak.getString("takenBy")).contains("the forgetful");
      assertThat(leak.getString("takenAt")).isEmpty();
      kept.close();
    }
    // Nobody returns what was lost.
    assertThat(semaphore.available()).isEqualTo(3);
  }

  /** Dumps while there is nothing, at most so often as there is a collection. */
  private final class AtLeastOnce {
    boolean arrived(Recording recording, String name) {
      try {
        return !leaks(recording, name).isEmpty();
      } catch (Exception failure) {
        throw new AssertionError(failure);
      }
    }
  }

  /** Those of the semaphore under test: what other tests have left behind is found by the same collection. */
  private List<RecordedEvent> leaks(Recording recording, String semaphore) throws Exception {
    return read(recording, "dev.baton.PermitLeak").stream().filter(leak -> leak.getString("name").equals(semaphore)).toList();
  }

  private static void leak(Semaphore semaphore) throws InterruptedException {
    Permit permit = semaphore.hold(3);
    permit.split(1).close();
  }

  @Test
  void withStacksTheLineOfTheLeakIsKnown() throws Exception {
    Semaphore semaphore = Semaphore.of(5).named("leaky line");
    Baton.track(Tracking.STACKS);
    try (Recording recording = new Recording()) {
      recording.enable("dev.baton.PermitLeak").withPeriod(Duration.ofMillis(20));
      recording.start();
      leak(semaphore);
      AtLeastOnce leaks = new AtLeastOnce();
      Gc.until(() -> leaks.arrived(recording, "leaky line"), "the leak is recorded");
      recording.stop();
      assertThat(leaks(recording, "leaky line").getFirst().getString("takenAt")).contains("FlightRecordingTest.leak");
    } finally {
      Baton.track(Tracking.OFF);
    }
    assertThat(semaphore.available()).isEqualTo(3);
  }

  // ---- scopes ----

  @Test
  void aScopeThatFailsIsRecorded() throws Exception {
    List<RecordedEvent> failures =
        record(
            "dev.baton.ScopeFailure",
            () -> {
              assertThatThrownBy(
                      () -> {
                        try (Scope scope = Scope.open().named("import")) {
                          scope.fork(
                              () -> {
                                throw new IllegalStateException("bad row");
                              });
                          scope.join();
                        }
                      })
                  .hasMessage("bad row");
              assertThatThrownBy(
                      () -> {
                        try (Scope scope = Scope.open().deadline(Duration.ofMillis(1))) {
                          scope.fork(() -> Time.sleep(Duration.ofMinutes(1)));
                          scope.join();
                        }
                      })
                  .isInstanceOf(DeadlineExceededException.class);
              assertThatThrownBy(() -> Scope.firstSuccess(() -> fail("one"), () -> fail("two")));
              try (Scope scope = Scope.open()) {
                scope.fork(() -> "well");
                scope.join();
              }
            });
    assertThat(failures).hasSize(3);
    assertThat(failures.getFirst().getString("name")).isEqualTo("import");
    assertThat(failures.getFirst().getString("error")).isEqualTo(IllegalStateException.class.getName());
    assertThat(failures.getFirst().getString("message")).isEqualTo("bad row");
    assertThat(failures.getFirst().getInt("forks")).isEqualTo(1);
    assertThat(failures.get(1).getString("error")).isEqualTo(DeadlineExceededException.class.getName());
    assertThat(failures.get(2).getString("error")).isEqualTo(IllegalArgumentException.class.getName());
  }

  private static String fail(String why) {
    throw new IllegalArgumentException(why);
  }

  // ---- deadlocks ----

  @Test
  void aDeadlockThatADumpFindsIsRecorded() throws Exception {
    Baton.track(Tracking.ON);
    try {
      List<RecordedEvent> deadlocks =
          record(
              "dev.baton.Deadlock",
              () -> {
                Mutex left = new Mutex().named("left");
                Mutex right = new Mutex().named("right");
                CyclicBarrier both = new CyclicBarrier(2);
                Thread one = start("one", () -> lockBoth(left, both, right));
                Thread two = start("two", () -> lockBoth(right, both, left));
                eventually(() -> left.waiting() + right.waiting() == 2);
                eventually(() -> Baton.dump().waits().size() == 2);
                one.interrupt();
                one.join();
                two.join();
                assertThat(Baton.dump().isEmpty()).isTrue();
              });
      assertThat(deadlocks).isNotEmpty();
      assertThat(deadlocks.getFirst().getInt("tasks")).isEqualTo(2);
      assertThat(deadlocks.getFirst().getString("graph"))
          .contains("Deadlock: 2 tasks wait for each other", "\"left\"", "\"right\"", "one waits for", "two waits for");
    } finally {
      Baton.track(Tracking.OFF);
    }
  }

  private static void lockBoth(Mutex first, CyclicBarrier both, Mutex second) throws Exception {
    try (Guard outer = first.guard()) {
      both.await();
      try (Guard inner = second.guard()) {
        assertThat(List.of(outer, inner)).hasSize(2);
      }
    }
  }

  // ---- the settings ----

  @Test
  void theSettingsNameEveryEventAndNoOther() throws Exception {
    try (Reader settings =
        new InputStreamReader(
            Objects.requireNonNull(Baton.class.getResourceAsStream("/META-INF/jfr/baton.jfc")), StandardCharsets.UTF_8)) {
      List<String> named =
          Configuration.create(settings).getSettings().keySet().stream().map(key -> key.substring(0, key.indexOf('#'))).distinct().sorted().toList();
      assertThat(named)
          .containsExactly(
              "dev.baton.Deadlock", "dev.baton.LeaseLost", "dev.baton.PermitLeak", "dev.baton.ScopeFailure", "dev.baton.Wait");
    }
  }
}

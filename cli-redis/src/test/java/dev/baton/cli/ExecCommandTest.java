// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.redis.RedisLeases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code baton exec} with real commands on a real server; each test has a name of its own. */
class ExecCommandTest {
  private static RedisProcess server;
  private static Leases leases;

  @TempDir
  private Path directory;

  @BeforeAll
  static void start() {
    server = new RedisProcess();
    leases = RedisLeases.connect(server.uri());
  }

  @AfterAll
  static void stop() {
    leases.close();
    server.close();
  }

  @Test
  void theExitCodeIsTheCommandsAndTheLeaseIsReleased(TestInfo test) {
    var exec = exec(test, "sh", "-c", "exit 7");

    assertThat(exec.exitCode()).isEqualTo(7);
    assertThat(exec.err()).isEmpty();
    var stats = name(test).stats();
    assertThat(stats.granted()).isEqualTo(1);
    assertThat(stats.released()).isEqualTo(1);
    assertThat(stats.acquired()).isZero();
  }

  @Test
  void aCommandEndedByASignalHasTheExitCodeOfAShell(TestInfo test) {
    assertThat(exec(test, "sh", "-c", "kill -s KILL $$").exitCode()).isEqualTo(128 + 9);
  }

  @Test
  void theCommandKnowsItsLeaseWhichIsHeldWhileItRuns(TestInfo test) throws Exception {
    Path go = directory.resolve("go");
    var running =
        begin(test, "--permits", "3", "--take", "2", "--",
            "sh", "-c", "echo $BATON_LEASE_ID $BATON_FENCING_TOKEN $BATON_SLOT > said.part; mv said.part said; " + waitFor(go));
    Path said = directory.resolve("said");
    Soon.holds(() -> Files.exists(said));

    var holder = leases.semaphore(nameOf(test), 3).holders().getFirst();
    assertThat(Files.readString(said).strip())
        .isEqualTo(holder.id() + " " + holder.fencingToken() + " " + holder.slots().getFirst());
    assertThat(holder.permits()).isEqualTo(2);
    assertThat(holder.label()).startsWith("sh (pid " + ProcessHandle.current().pid() + " on ");

    Files.createFile(go);
    assertThat(end(running).exitCode()).isZero();
    assertThat(leases.semaphore(nameOf(test), 3).holders()).isEmpty();
  }

  @Test
  void theNextOneWaitsItsTurn(TestInfo test) throws Exception {
    Path go = directory.resolve("go");
    Path log = directory.resolve("log");
    var first = begin(test, "--", "sh", "-c", "echo first >> log; " + waitFor(go) + "; echo done >> log");
    Soon.holds(() -> Files.exists(log));
    var second = begin(test, "--", "sh", "-c", "echo second >> log");
    Soon.holds(() -> name(test).waiters().size() == 1);

    Files.createFile(go);

    assertThat(end(first).exitCode()).isZero();
    assertThat(end(second).exitCode()).isZero();
    assertThat(log).hasContent("first\ndone\nsecond\n");
  }

  @Test
  void asManyRunTogetherAsTheNameHasPermits(TestInfo test) throws Exception {
    Path go = directory.resolve("go");
    var one = begin(test, "--permits", "2", "--", "sh", "-c", waitFor(go));
    var two = begin(test, "--permits", "2", "--", "sh", "-c", waitFor(go));

    Soon.holds(() -> leases.semaphore(nameOf(test), 2).holders().size() == 2);

    Files.createFile(go);
    assertThat(end(one).exitCode()).isZero();
    assertThat(end(two).exitCode()).isZero();
  }

  @Test
  void aRevokedLeaseEndsTheCommandAndWhatItHasStarted(TestInfo test) throws Exception {
    // The shell waits for its child and would leave it behind if it alone were told.
    var running = begin(test, "--", "sh", "-c", "sleep 600 & echo $! > pid.part; mv pid.part pid; wait; sleep 600");
    Path pid = directory.resolve("pid");
    Soon.holds(() -> Files.exists(pid));
    long grandchild = Long.parseLong(Files.readString(pid).strip());
    assertThat(ProcessHandle.of(grandchild)).isPresent();

    assertThat(name(test).revoke(name(test).holders().getFirst().id())).isTrue();

    var exec = end(running);
    assertThat(exec.exitCode()).isEqualTo(LeasedRun.LOST);
    assertThat(exec.err()).contains("lost the lease of " + nameOf(test), "revoked", "Ending sh");
    // Told before exec has ended; that it is gone shows when the system has cleared it away.
    Soon.holds(() -> ProcessHandle.of(grandchild).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  void oneThatDoesNotEndForTermIsKilledAfterTheGrace(TestInfo test) throws Exception {
    var running =
        begin(test, "--grace", "300ms", "--",
            "sh", "-c", "trap 'touch asked' TERM; echo $$ > pid.part; mv pid.part pid; while :; do sleep 0.05; done");
    Path pid = directory.resolve("pid");
    Soon.holds(() -> Files.exists(pid));

    assertThat(name(test).revoke(name(test).holders().getFirst().id())).isTrue();

    assertThat(end(running).exitCode()).isEqualTo(LeasedRun.LOST);
    assertThat(directory.resolve("asked")).exists();
    assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void theTimeToLiveEndsTheCommand(TestInfo test) {
    var exec = exec(test, "--ttl", "PT0.3S", "--", "sleep", "600");

    assertThat(exec.exitCode()).isEqualTo(LeasedRun.LOST);
    assertThat(exec.err()).contains("its time was over, 300ms");
  }

  @Test
  void aCommandMayHaveAnyTimeToEnd(TestInfo test) {
    var exec = exec(test, "--ttl", "300ms", "--grace", "999999999h", "--", "sleep", "600");

    assertThat(exec.exitCode()).isEqualTo(LeasedRun.LOST);
    assertThat(exec.err()).hasLineCount(1).contains("its time was over, 300ms");
  }

  @Test
  void oneThatWaitsTooLongGivesUpAndLeavesTheLine(TestInfo test) throws Exception {
    Path started = directory.resolve("started");
    try (Lease _ = name(test).acquire()) {
      var late = exec(test, "--max-wait", "100ms", "--", "touch", started.toString());
      var impatient = exec(test, "--max-wait", "0s", "--", "touch", started.toString());

      assertThat(late.exitCode()).isEqualTo(LeasedRun.NOT_IN_TIME);
      assertThat(late.err()).contains("no lease of " + nameOf(test) + " within 100ms; nothing was started");
      assertThat(impatient.exitCode()).isEqualTo(LeasedRun.NOT_IN_TIME);
      assertThat(impatient.err()).contains("no lease of " + nameOf(test) + " at once");
      assertThat(name(test).waiters()).isEmpty();
    }
    assertThat(started).doesNotExist();
  }

  @Test
  void anotherLimitIsRefusedAndNoneTakesWhatTheNameHas(TestInfo test) {
    leases.semaphore(nameOf(test), 5).resize(5);

    var other = exec(test, "--permits", "2", "--", "true");
    var same = exec(test, "--limit", "5", "--", "true");
    var any = exec(test, "--take", "4", "--", "true");
    var tooMany = exec(test, "--take", "6", "--", "true");

    assertThat(other.exitCode()).isEqualTo(LeasedRun.NO_LEASE);
    assertThat(other.err()).contains("has 5 permits, and --permits says 2", "baton leases resize");
    assertThat(same.exitCode()).isZero();
    assertThat(any.exitCode()).isZero();
    assertThat(tooMany.exitCode()).isEqualTo(LeasedRun.NO_LEASE);
    assertThat(tooMany.err()).contains("the limit is 5", "--permits");
  }

  @Test
  void aCommandThatCannotBeStartedHoldsNothing(TestInfo test) throws Exception {
    Path plain = Files.writeString(directory.resolve("plain.txt"), "no program");

    var missing = exec(test, "--", "no-such-command-anywhere");
    var refused = exec(test, "--", plain.toString());

    assertThat(missing.exitCode()).isEqualTo(LeasedRun.NOT_FOUND);
    assertThat(missing.err()).contains("could not start no-such-command-anywhere: No such file");
    assertThat(refused.exitCode()).isEqualTo(LeasedRun.NOT_EXECUTABLE);
    assertThat(refused.err()).contains("could not start " + plain + ": Permission denied");
    assertThat(name(test).stats().released()).isEqualTo(2);
    assertThat(name(test).holders()).isEmpty();
  }

  @Test
  void aCommandLineThatMakesNoSenseAsksNothingOfTheServer(TestInfo test) {
    assertThat(InProcess.baton("exec", "--name", "n", "--", "true").err()).contains("where is Redis?", "BATON_REDIS");
    assertUsage(exec(test, "--ttl", "soon", "--", "true"), "'soon' is no time", "500ms, 30s");
    assertUsage(exec(test, "--max-wait", "PT", "--", "true"), "'PT' is no time");
    assertUsage(exec(test, "--ttl", "0s", "--", "true"), "'0s' is too short");
    assertUsage(exec(test, "--window", "1s", "--", "true"), "--window is 1s", "2s or more");
    assertUsage(exec(test, "--permits", "0", "--", "true"), "--permits is 0", "from 1 on");
    assertUsage(exec(test, "--permits", "2", "--take", "3", "--", "true"), "--take is 3");
    assertUsage(exec(test), "COMMAND");
    assertUsage(InProcess.baton("exec", "--redis", server.uri(), "--", "true"), "--name");
    assertUsage(InProcess.baton("exec", "--name", "", "--redis", server.uri(), "--", "true"), "1 to 1000 characters");
    assertThat(name(test).stats().granted()).isZero();
  }

  @Test
  void aServerThatCannotBeUsedIsNamedWithoutThePassword(TestInfo test) {
    try (var locked = new RedisProcess("requirepass right")) {
      var wrong =
          InProcess.baton(
              "exec", "--name", "n", "--redis", "redis://:hush@localhost:" + locked.port(), "--", "true");
      assertThat(wrong.exitCode()).isEqualTo(LeasedRun.NO_LEASE);
      assertThat(wrong.err()).contains("localhost:" + locked.port(), "password is wrong").doesNotContain("hush");
    }
    var nobody = InProcess.baton("exec", "--name", "n", "--redis", "redis://:hush@localhost:1", "--", "true");
    assertThat(nobody.exitCode()).isEqualTo(LeasedRun.NO_LEASE);
    assertThat(nobody.err()).contains("localhost:1", "no connection").doesNotContain("hush");
    var nowhere = InProcess.baton("exec", "--name", "n", "--redis", "http://:hush@localhost:1", "--", "true");
    assertUsage(nowhere, "no address of Redis");
    assertThat(nowhere.err()).doesNotContain("hush");
  }

  private static void assertUsage(InProcess exec, String... said) {
    assertThat(exec.exitCode()).isEqualTo(2);
    assertThat(exec.err()).contains(said);
  }

  // ---- helpers ----

  private static String nameOf(TestInfo test) {
    return test.getTestMethod().orElseThrow().getName();
  }

  private static LeaseSemaphore name(TestInfo test) {
    return leases.semaphore(nameOf(test), 1);
  }

  private InProcess exec(TestInfo test, String... args) {
    List<String> all = new ArrayList<>(List.of("exec", "--redis", server.uri(), "--name", nameOf(test)));
    for (String arg : args) {
      // Commands run where this JVM does: what they write goes to the test's own directory.
      all.add(arg.contains(" ") ? "cd '" + directory + "'; " + arg : arg);
    }
    return InProcess.baton(all.toArray(String[]::new));
  }

  private CompletableFuture<InProcess> begin(TestInfo test, String... args) {
    return CompletableFuture.supplyAsync(() -> exec(test, args), task -> Thread.ofPlatform().daemon().start(task));
  }

  private static InProcess end(CompletableFuture<InProcess> running) throws Exception {
    return running.get(30, TimeUnit.SECONDS);
  }

  private static String waitFor(Path file) {
    return "until [ -e '" + file + "' ]; do sleep 0.02; done";
  }
}

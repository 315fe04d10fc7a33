// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.LossReason;
import dev.baton.lease.redis.RedisLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LeasesCommandTest {
  private static RedisProcess server;
  private static Leases leases;

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
  void namesHoldersAndWaitersAreShown() throws Exception {
    LeaseSemaphore export = leases.semaphore("export", 2).label("night job").ttl(Duration.ofMinutes(5));
    try (Lease lease = export.acquire(2)) {
      CompletableFuture<Lease> next = export.label("day\u001bjob").acquireAsync();
      Soon.holds(() -> export.waiters().size() == 1);

      var text = baton("leases");
      Object json = JsonReader.read(baton("leases", "--json", "--name", "export").out());

      assertThat(text.exitCode()).isZero();
      assertThat(text.err()).isEmpty();
      assertThat(text.out())
          .contains("export: 2/2 (100.0%), 1 waits", "held     slot 1,2", lease.id(), "token " + lease.fencingToken())
          .contains("night job, ends in 4m 5", "waiting  place 1", "day\\u001bjob");
      assertThat(JsonReader.at(json, "names", 0, "name")).isEqualTo("export");
      assertThat(JsonReader.at(json, "names", 0, "limit")).isEqualTo(2.0);
      assertThat(JsonReader.at(json, "names", 0, "holders", 0, "id")).isEqualTo(lease.id());
      assertThat(JsonReader.at(json, "names", 0, "holders", 0, "slots")).isEqualTo(List.of(1.0, 2.0));
      assertThat(JsonReader.at(json, "names", 0, "holders", 0, "fencingToken")).isEqualTo((double) lease.fencingToken());
      assertThat((Double) JsonReader.at(json, "names", 0, "holders", 0, "remaining")).isBetween(200.0, 300.0);
      assertThat(JsonReader.at(json, "names", 0, "waiters", 0, "label")).isEqualTo("day\u001bjob");
      assertThat((Double) JsonReader.at(json, "names", 0, "waiters", 0, "age")).isBetween(0.0, 60.0);
      next.cancel(true);
    }
  }

  @Test
  void aNameThatNobodyUsesIsNotShownAndALeaseWithoutEndHasNone() throws Exception {
    try (Lease _ = leases.semaphore("endless", 1).acquire()) {
      Object json = JsonReader.read(baton("leases", "--json", "--name", "endless", "--name", "nobody").out());

      assertThat((List<?>) JsonReader.at(json, "names")).hasSize(1);
      assertThat(JsonReader.at(json, "names", 0, "holders", 0, "remaining")).isNull();
      assertThat(baton("leases", "--name", "nobody").out().strip()).isEqualTo("no such leases");
      assertThat(baton("leases", "--namespace", "elsewhere").out().strip()).isEqualTo("no such leases");
    }
  }

  @Test
  void aLeaseIsRevokedOnce() throws Exception {
    Lease lease = leases.semaphore("taken", 1).acquire();
    CompletableFuture<LossReason> lost = new CompletableFuture<>();
    lease.onLost(lost::complete);

    var revoked = baton("leases", "revoke", "taken", lease.id());
    var again = baton("leases", "revoke", "taken", lease.id());

    assertThat(revoked.exitCode()).isZero();
    assertThat(revoked.out()).contains("revoked " + lease.id() + " of taken");
    assertThat(lost.join()).isEqualTo(LossReason.REVOKED);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("baton leases revoke: no lease " + lease.id() + " of taken is held");
  }

  @Test
  void aLimitIsChangedAndThoseWhoWaitAreServed() throws Exception {
    LeaseSemaphore grown = leases.semaphore("grown", 1);
    try (Lease _ = grown.acquire()) {
      CompletableFuture<Lease> next = grown.acquireAsync();
      Soon.holds(() -> grown.waiters().size() == 1);

      var resized = baton("leases", "resize", "grown", "2");

      assertThat(resized.exitCode()).isZero();
      assertThat(resized.out()).contains("grown has 2 permits");
      assertThat(resized.err()).isEmpty();
      next.join().close();
    }
    assertThat(grown.stats().limit()).isEqualTo(2);
  }

  @Test
  void theAddressMayStandBeforeTheSubcommand() {
    var resized = InProcess.baton("leases", "--redis", server.uri(), "resize", "before", "3");

    assertThat(resized.err()).contains("before is a new name");
    assertThat(resized.exitCode()).isZero();
    assertThat(leases.semaphore("before", 3).stats().limit()).isEqualTo(3);
  }

  @Test
  void whatMakesNoSenseIsAUsageError() {
    assertUsage(InProcess.baton("leases"), "where is Redis?");
    assertUsage(InProcess.baton("leases", "revoke", "n", "i"), "where is Redis?");
    assertUsage(baton("leases", "resize", "n", "0"), "limit of 1 to");
    assertUsage(baton("leases", "resize", "n", "many"), "'many'");
    assertUsage(baton("leases", "resize", "n"), "LIMIT");
    assertUsage(baton("leases", "--namespace", "a b"), "namespace");
    assertUsage(baton("leases", "--interval", "0s"), "'0s' is too short");
  }

  @Test
  void aServerThatIsNotThereIsOneAndNamedWithoutThePassword() {
    var nobody = InProcess.baton("leases", "--redis", "redis://me:hush@localhost:1");

    assertThat(nobody.exitCode()).isEqualTo(1);
    assertThat(nobody.err()).contains("baton leases: Redis at localhost:1", "no connection").doesNotContain("hush");
  }

  private static void assertUsage(InProcess command, String said) {
    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.err()).contains(said);
  }

  private static InProcess baton(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--redis", server.uri()));
    return InProcess.baton(all.toArray(String[]::new));
  }
}

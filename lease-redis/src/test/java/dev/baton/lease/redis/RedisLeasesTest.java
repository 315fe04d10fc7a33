// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseHolder;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.LossReason;
import dev.baton.lease.ReleaseResult;
import dev.baton.sync.ClosedException;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only a store outside has to promise: several processes, renewal, faults of the network and of the server. */
@SuppressWarnings("NullAway.Init")
class RedisLeasesTest {
  private static final Duration WINDOW = Duration.ofSeconds(2);
  @AutoClose private static final TestServer server = new TestServer();
  private final World world = Worlds.VIRTUAL.create();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private Leases a;
  private Leases b;

  @BeforeEach
  void connect() {
    server.admin().flushall();
    a = open(server.uri());
    b = open(server.uri());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private Leases open(String uri) {
    Leases leases = RedisLeases.builder().uri(uri).commandTimeout(Duration.ofMillis(500)).connect();
    opened.add(leases);
    return leases;
  }

  private Proxy proxy() {
    Proxy proxy = new Proxy(server.port());
    opened.add(proxy);
    return proxy;
  }

  private void eventually(BooleanSupplier condition) {
    Eventually.holds(world, condition);
  }

  private Actor<Lease> waiter(LeaseSemaphore semaphore) {
    long before = semaphore.stats().waiting();
    Actor<Lease> actor = world.call("waiter", () -> semaphore.acquire());
    eventually(() -> semaphore.stats().waiting() == before + 1);
    return actor;
  }

  @Test
  void theKeysOfALineGoByThemselvesAlsoIfItWasEmptyForAWhile() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("full", 1);
    try (Lease _ = semaphore.acquire()) {
      CompletableFuture<Lease> first = semaphore.acquireAsync();
      eventually(() -> semaphore.stats().waiting() == 1);
      first.cancel(false);
      eventually(() -> semaphore.stats().waiting() == 0);
      CompletableFuture<Lease> second = semaphore.acquireAsync();
      eventually(() -> semaphore.stats().waiting() == 1);
      assertThat(server.keysInUse()).isNotEmpty().allMatch(key -> server.admin().pttl(key) > 0);
      second.cancel(false);
    }
  }

  // ---- cost ----

  @Test
  void oneWhoAsksForManyPermitsDoesNotStopTheServer() throws Exception {
    int many = 20_000;
    LeaseSemaphore semaphore = a.semaphore("many", many + 1);
    server.admin().configResetstat();
    try (Lease _ = semaphore.acquire()) {
      CompletableFuture<Lease> next;
      try (Lease _ = semaphore.acquire(many)) {
        next = semaphore.acquireAsync(many);
        eventually(() -> semaphore.stats().waiting() == 1);
      }
      try (Lease lease = next.get(1, TimeUnit.MINUTES)) {
        assertThat(lease.slotNumber()).isEqualTo(2);
        assertThat(semaphore.holders()).flatExtracting(LeaseHolder::slots).doesNotHaveDuplicates().hasSize(many + 1).contains(many + 1);
      }
    }
    assertThat(server.busy("evalsha").plus(server.busy("eval")))
        .as("a fraction of a second, unless it grows with the square of what is asked for")
        .isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void lease45_withoutContentionThereIsOneCallForEach() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("one", 2);
    semaphore.acquire().close();
    server.admin().configResetstat();
    for (int i = 0; i < 10; i++) {
      semaphore.acquire().close();
    }
    assertThat(server.calls("evalsha")).isEqualTo(20);
    assertThat(server.calls("eval")).isZero();
    assertThat(server.calls("publish")).isZero();
  }

  @Test
  void lease46_48_aReleaseWakesExactlyTheOneWhoIsNext() throws Exception {
    LeaseSemaphore here = a.semaphore("door", 1);
    LeaseSemaphore there = b.semaphore("door", 1);
    Lease lease = here.acquire();
    Actor<Lease> first = waiter(there);
    Actor<Lease> second = waiter(there);
    server.admin().configResetstat();
    long start = System.nanoTime();
    lease.close();
    Lease next = first.result();
    long took = System.nanoTime() - start;
    assertThat(server.calls("publish")).isEqualTo(1);
    assertThat(Duration.ofNanos(took)).as("no poll was waited for").isLessThan(Duration.ofSeconds(1));
    assertThat(second.isDone()).isFalse();
    assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    next.close();
    second.result().close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void allForWhomThereIsRoomAreServedHoweverManyTheyAreAndNoneWaitsForALook(boolean byARelease) throws Exception {
    int many = 600;
    LeaseSemaphore semaphore = a.semaphore("wide", byARelease ? many : 1);
    Lease lease = semaphore.acquire(semaphore.limit());
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      waiters.add(b.semaphore("wide", semaphore.limit()).acquireAsync());
    }
    eventually(() -> semaphore.stats().waiting() == many);
    long start = System.nanoTime();
    if (byARelease) {
      lease.close();
    } else {
      semaphore.resize(many + 1);
    }
    for (CompletableFuture<Lease> waiter : waiters) {
      assertThat(waiter.get(1, TimeUnit.MINUTES).isValid()).isTrue();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).as("one call serves a tenth of them").isLessThan(Duration.ofSeconds(4));
  }

  @Test
  void lease47_thoseWhoWaitAreLookedForTogether() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("crowd", 1);
    Lease lease = semaphore.acquire();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      waiters.add(semaphore.acquireAsync());
    }
    eventually(() -> semaphore.stats().waiting() == 50);
    server.admin().configResetstat();
    world.pass(Duration.ofSeconds(3));
    assertThat(server.calls("evalsha")).isLessThanOrEqualTo(3);
    waiters.forEach(waiter -> waiter.cancel(true));
    lease.close();
    eventually(() -> semaphore.stats().waiting() == 0 && semaphore.stats().holders() == 0);
  }

  // ---- renewal ----

  @Test
  void lease51_52_55_beatsKeepWhatIsHeldAndWhoWaits() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("many", 600).window(WINDOW);
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      held.add(semaphore.acquire());
    }
    Actor<Lease> waiter = waiter(b.semaphore("many", 600).window(WINDOW));
    String place = semaphore.waiters().get(0).id();
    server.admin().configResetstat();
    world.pass(WINDOW.plusSeconds(1));
    assertThat(held).allMatch(Lease::isValid);
    assertThat(semaphore.stats().expired()).isZero();
    assertThat(semaphore.waiters().get(0).id()).isEqualTo(place);
    assertThat(server.calls("evalsha")).as("calls, though 601 were renewed several times").isLessThan(40);
    held.get(0).close();
    assertThat(waiter.result().id()).isEqualTo(place);
  }

  @Test
  void lease51b_65_73_whoStopsBeatingLosesItFirstAndIsReplacedWithinAWindow() throws Exception {
    Proxy proxy = proxy();
    Leases far = open(proxy.uri());
    Lease lease = far.semaphore("door", 1).window(WINDOW).acquire();
    List<LossReason> told = new CopyOnWriteArrayList<>();
    lease.onLost(told::add);
    Actor<Lease> waiter = waiter(a.semaphore("door", 1).window(WINDOW));
    proxy.cut();
    assertThat(lease.isValid()).isTrue();
    Lease next = waiter.result();
    assertThat(lease.isValid()).as("lost before anybody else was granted it").isFalse();
    eventually(() -> told.size() == 1);
    assertThat(told).containsExactly(LossReason.UNREACHABLE);
    assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
    proxy.mend();
    assertThat(next.isValid()).isTrue();
    assertThat(a.semaphore("door", 1).stats().holders()).isEqualTo(1);
  }

  @Test
  void lease67_aGrantThatNobodyClaimsMovesOnInSeconds() throws Exception {
    Proxy proxy = proxy();
    Leases far = open(proxy.uri());
    Lease lease = a.semaphore("door", 1).acquire();
    CompletableFuture<Lease> dead = far.semaphore("door", 1).acquireAsync();
    eventually(() -> a.semaphore("door", 1).stats().waiting() == 1);
    Actor<Lease> alive = waiter(a.semaphore("door", 1));
    proxy.cut();
    lease.close();
    long start = System.nanoTime();
    assertThat(alive.result().isValid()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    dead.cancel(true);
  }

  @Test
  void lease53_77_whatTheServerHasForgottenIsLostAndNotRevived() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("door", 2).window(WINDOW);
    Lease lease = semaphore.acquire();
    List<LossReason> told = new CopyOnWriteArrayList<>();
    lease.onLost(told::add);
    server.admin().flushall();
    eventually(() -> !lease.isValid());
    eventually(() -> told.size() == 1);
    assertThat(told).containsExactly(LossReason.UNREACHABLE);
    assertThat(semaphore.stats().holders()).isZero();
    Lease next = semaphore.acquire();
    assertThat(next.fencingToken()).as("tokens go on though all was forgotten").isGreaterThan(lease.fencingToken());
  }

  @Test
  void lease57_nothingIsLeftButTheConfigurationForAWhile() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("clean", 1).ttl(Duration.ofSeconds(5));
    Lease lease = semaphore.acquire();
    CompletableFuture<Lease> waiter = semaphore.acquireAsync();
    eventually(() -> semaphore.stats().waiting() == 1);
    assertThat(server.keysInUse()).hasSize(5);
    assertThat(server.admin().keys("*")).allMatch(key -> server.admin().pttl(key) >= 80_000_000);
    lease.close();
    waiter.get(5, TimeUnit.SECONDS).close();
    assertThat(server.admin().keys("*")).containsExactly("baton:{clean}:cfg");
    assertThat(server.admin().pttl("baton:{clean}:cfg")).isPositive();
  }

  @Test
  void lease58_aServerThatHasForgottenTheScriptIsSentItOnce() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("script", 1);
    semaphore.acquire().close();
    server.admin().scriptFlush();
    server.admin().configResetstat();
    semaphore.acquire().close();
    assertThat(server.calls("eval")).isEqualTo(1);
    assertThat(server.calls("evalsha")).isEqualTo(2);
  }

  @Test
  void lease60_tenThousandWaitersAreListedPageByPage() throws Exception {
    Leases patient = RedisLeases.builder().uri(server.uri()).commandTimeout(Duration.ofSeconds(20)).connect();
    opened.add(patient);
    LeaseSemaphore semaphore = patient.semaphore("long", 1);
    Lease lease = semaphore.acquire();
    List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      waiters.add(semaphore.acquireAsync());
    }
    eventually(() -> semaphore.stats().waiting() == 10_000);
    server.admin().configSet("slowlog-log-slower-than", "50000");
    server.admin().configResetstat();
    Duration before = server.computed();
    long slow = Long.MAX_VALUE;
    int listings = 0;
    // A server that loses its core for a while is slow once; a call that does too much is slow each time.
    while (slow > 0 && listings < 5) {
      server.admin().slowlogReset();
      assertThat(semaphore.waiters()).hasSize(10_000).last().extracting(w -> w.place()).isEqualTo(10_000);
      slow = server.admin().slowlogLen();
      listings++;
    }
    assertThat(slow).as("calls that took more than 50 ms, in the best of " + listings + " listings").isZero();
    Duration computed = server.computed().minus(before);
    long calls = server.calls("evalsha");
    assertThat(calls).as("calls, none of which lists more than a page").isGreaterThanOrEqualTo(listings * 10_000L / Views.PAGE);
    assertThat(computed).as("50 ms for each of " + calls).isLessThan(Duration.ofMillis(50).multipliedBy(calls));
    lease.close();
    patient.close();
    eventually(() -> waiters.stream().allMatch(CompletableFuture::isDone));
    assertThat(server.keysInUse()).isEmpty();
  }

  @Test
  void lease61_namespacesAreIndependent() throws Exception {
    Leases other = RedisLeases.builder().uri(server.uri()).namespace("other").connect();
    opened.add(other);
    Lease lease = a.semaphore("door", 1).acquire();
    Lease elsewhere = other.semaphore("door", 1).acquire();
    assertThat(lease.isValid() && elsewhere.isValid()).isTrue();
    assertThat(other.names()).containsExactly("door");
    assertThatThrownBy(() -> RedisLeases.builder().namespace("a{b}")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void lease62_tokensOfSeveralProcessesGrow() throws Exception {
    LeaseSemaphore[] handles = {a.semaphore("tokens", 1), b.semaphore("tokens", 1)};
    long last = 0;
    for (int i = 0; i < 300; i++) {
      try (Lease lease = handles[i % 2].acquire()) {
        assertThat(lease.fencingToken()).isGreaterThan(last);
        last = lease.fencingToken();
      }
    }
  }

  @Test
  void lease64_aLeaseHandedOnByItsIdCanBeExtendedAndReleasedElsewhere() throws Exception {
    Lease lease = a.semaphore("handed", 1).ttl(Duration.ofSeconds(20)).acquire();
    LeaseSemaphore there = b.semaphore("handed", 1);
    assertThat(there.extend(lease.id(), Duration.ofHours(1))).isTrue();
    LeaseHolder seen = there.holders().get(0);
    assertThat(seen.remaining()).isGreaterThan(Duration.ofMinutes(59));
    assertThat(there.release(lease.id())).isEqualTo(ReleaseResult.RELEASED);
    eventually(() -> !lease.isValid());
    assertThat(lease.lost()).isEmpty();
    lease.close();
    assertThat(there.stats().released()).isEqualTo(1);
  }

  @Test
  void lease64b_aHolderHearsAtOnceThatItsLeaseWasExtendedElsewhere() throws Exception {
    // With such a window it renews nothing by itself before the test is over.
    Lease lease = a.semaphore("handed", 1).window(Duration.ofHours(1)).ttl(Duration.ofMinutes(10)).acquire();
    assertThat(b.semaphore("handed", 1).extend(lease.id(), Duration.ofHours(1))).isTrue();
    eventually(() -> lease.remaining().compareTo(Duration.ofMinutes(50)) > 0);
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
  }

  @Test
  void lease64c_aLeaseExtendedAndThenReleasedElsewhereWasNotLost() throws Exception {
    // Its holder asks for the new end while the release is on its way: either may be the first to be there.
    LeaseSemaphore there = b.semaphore("handed", 1);
    for (int i = 0; i < 200; i++) {
      Lease lease = a.semaphore("handed", 1).ttl(Duration.ofMinutes(10)).acquire();
      assertThat(there.extend(lease.id(), Duration.ofHours(1))).isTrue();
      assertThat(there.release(lease.id())).isEqualTo(ReleaseResult.RELEASED);
      eventually(() -> !lease.isValid());
      assertThat(lease.lost()).isEmpty();
    }
  }

  @Test
  void lease40b_aLeaseRevokedElsewhereIsLostHere() throws Exception {
    Lease lease = a.semaphore("revoked", 1).acquire();
    AtomicInteger told = new AtomicInteger();
    lease.onLost(why -> told.incrementAndGet());
    assertThat(b.semaphore("revoked", 1).revoke(lease.id())).isTrue();
    eventually(() -> told.get() == 1);
    assertThat(lease.lost()).contains(LossReason.REVOKED);
  }

  @Test
  void lease40c_oneWhoseLeaseIsRevokedElsewhereKnowsBeforeTheNextIsServed() throws Exception {
    LeaseSemaphore here = a.semaphore("revoked", 1);
    LeaseSemaphore there = b.semaphore("revoked", 1);
    for (int i = 0; i < 50; i++) {
      Lease lease = here.acquire();
      Actor<Boolean> next =
          world.call(
              "next",
              () -> {
                try (Lease own = there.acquire()) {
                  return own.isValid() && !lease.isValid() && lease.lost().isPresent();
                }
              });
      eventually(() -> there.stats().waiting() == 1);
      assertThat(there.revoke(lease.id())).isTrue();
      assertThat(next.result()).as("its holder knew first").isTrue();
      assertThat(there.revoke(lease.id())).as("it is gone when that returns").isFalse();
      assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
    }
    assertThat(here.stats().revoked()).isEqualTo(50);
    eventually(() -> here.stats().holders() == 0);
  }

  @Test
  void lease40d_oneWhoCannotBeToldOfARevokeLosesItWithItsWindow() throws Exception {
    Proxy proxy = proxy();
    Leases far = open(proxy.uri());
    Lease lease = far.semaphore("revoked", 1).window(WINDOW).acquire();
    Actor<Lease> waiter = waiter(a.semaphore("revoked", 1).window(WINDOW));
    proxy.cut();
    assertThat(a.semaphore("revoked", 1).revoke(lease.id())).isTrue();
    Lease next = waiter.result();
    assertThat(lease.isValid()).as("lost before anybody else was granted it").isFalse();
    assertThat(next.isValid()).isTrue();
    assertThat(a.semaphore("revoked", 1).stats().revoked()).isEqualTo(1);
  }

  @Test
  void lease40e_oneWhoDidNotHearOfARevokeIsToldByTheNextBeatAndIsNotRenewed() throws Exception {
    Lease lease = a.semaphore("revoked", 1).window(WINDOW).acquire();
    // As if the message had been lost: it is marked, and nobody is told.
    String key = "baton:{revoked}:held";
    String meta = server.admin().hget(key, lease.id());
    assertThat(meta).isNotNull().endsWith("]");
    server.admin().hset(key, lease.id(), meta.substring(0, meta.length() - 1) + ",\"nobody\"]");
    assertThat(b.semaphore("revoked", 1).extend(lease.id(), Duration.ofHours(1))).isFalse();
    eventually(() -> !lease.isValid());
    assertThat(lease.lost()).contains(LossReason.REVOKED);
    eventually(() -> a.semaphore("revoked", 1).stats().holders() == 0);
    assertThat(a.semaphore("revoked", 1).stats().revoked()).isEqualTo(1);
  }

  // ---- faults ----

  @Test
  void lease69_75_aReleaseWhoseAnswerIsLostCountsOnce() throws Exception {
    Proxy proxy = proxy();
    Leases far = open(proxy.uri());
    Lease lease = far.semaphore("door", 1).acquire();
    proxy.mute();
    long start = System.nanoTime();
    lease.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    proxy.drop();
    proxy.mend();
    LeaseSemaphore here = a.semaphore("door", 1);
    eventually(() -> here.stats().holders() == 0);
    assertThat(here.stats().released()).isEqualTo(1);
  }

  @Test
  void lease71_aGrantThatWasNotHeardOfIsFound() throws Exception {
    Proxy proxy = proxy();
    Leases far = open(proxy.uri());
    Lease lease = a.semaphore("door", 1).acquire();
    Actor<Lease> waiter = waiter(far.semaphore("door", 1));
    proxy.mute();
    lease.close();
    proxy.drop();
    proxy.mend();
    assertThat(waiter.result().isValid()).isTrue();
  }

  @Test
  void lease71b_aMessageThatIsLostIsMadeUpForByTheNextLook() throws Exception {
    Lease lease = a.semaphore("door", 1).acquire();
    Actor<Lease> waiter = waiter(b.semaphore("door", 1));
    // Nobody is told: the grant is stored, but its message goes nowhere.
    server.admin().clientKill(KillArgs.Builder.typePubsub());
    lease.close();
    assertThat(waiter.result().isValid()).isTrue();
  }

  @Test
  void clientsThatAreKilledComeBackAndLoseNothing() throws Exception {
    LeaseSemaphore semaphore = a.semaphore("door", 1);
    Lease lease = semaphore.acquire();
    Actor<Lease> waiter = waiter(b.semaphore("door", 1));
    server.admin().clientKill(KillArgs.Builder.typeNormal().skipme(true));
    server.admin().clientKill(KillArgs.Builder.typePubsub());
    eventually(() -> works(semaphore));
    assertThat(lease.isValid()).isTrue();
    lease.close();
    waiter.result().close();
    eventually(() -> semaphore.stats().holders() == 0);
  }

  private static boolean works(LeaseSemaphore semaphore) {
    try {
      return semaphore.stats().limit() > 0;
    } catch (BackendUnavailableException notYet) {
      return false;
    }
  }

  @Test
  void lease74_whoAsksWhileItIsDownIsToldAtOnceAndNothingIsReplayed() throws Exception {
    Proxy proxy = proxy();
    Leases far = open(proxy.uri());
    LeaseSemaphore semaphore = far.semaphore("door", 1);
    semaphore.acquire().close();
    proxy.cut();
    eventually(() -> !works(semaphore));
    long start = System.nanoTime();
    assertThatThrownBy(semaphore::acquire).isInstanceOf(BackendUnavailableException.class).hasMessageContaining("door");
    assertThatThrownBy(semaphore::tryAcquire).isInstanceOf(BackendUnavailableException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    proxy.mend();
    eventually(() -> works(semaphore));
    assertThat(semaphore.stats().granted()).isEqualTo(1);
    assertThat(semaphore.stats().waiting()).isZero();
  }

  @Test
  void lease74b_orItIsTriedAgainIfThatWasAskedFor() throws Exception {
    Proxy proxy = proxy();
    Leases far =
        RedisLeases.builder()
            .uri(proxy.uri())
            .commandTimeout(Duration.ofMillis(500))
            .whenUnavailable(WhenUnavailable.RETRY)
            .connect();
    opened.add(far);
    LeaseSemaphore semaphore = far.semaphore("door", 1);
    semaphore.acquire().close();
    proxy.cut();
    eventually(() -> !works(semaphore));
    Actor<Lease> patient = world.call("patient", () -> semaphore.acquire(Duration.ofSeconds(30)));
    assertThat(world.call("hasty", () -> semaphore.tryAcquire(Duration.ofMillis(300))).result()).isEmpty();
    proxy.mend();
    assertThat(patient.result().isValid()).isTrue();
  }

  @Test
  void lease72_aServerThatIsBackSoonFindsAllAsItWas() throws Exception {
    Proxy proxy = proxy();
    Leases far = open(proxy.uri());
    Lease lease = far.semaphore("door", 1).acquire();
    Actor<Lease> waiter = waiter(far.semaphore("door", 1));
    String place = a.semaphore("door", 1).waiters().get(0).id();
    proxy.cut();
    world.pass(Duration.ofMillis(700));
    proxy.mend();
    eventually(() -> works(far.semaphore("door", 1)));
    assertThat(lease.isValid()).isTrue();
    assertThat(a.semaphore("door", 1).waiters().get(0).id()).isEqualTo(place);
    lease.close();
    assertThat(waiter.result().id()).isEqualTo(place);
  }

  @Test
  void aServerThatIsStartedAnewIsUsedAgain() throws Exception {
    try (TestServer own = new TestServer()) {
      Leases leases = open(own.uri());
      LeaseSemaphore semaphore = leases.semaphore("door", 1).window(WINDOW);
      Lease lease = semaphore.acquire();
      own.stop();
      own.start();
      eventually(() -> answers(semaphore));
      eventually(() -> !lease.isValid());
      assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
      Lease next = semaphore.acquire();
      assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
      leases.close();
    }
  }

  private static boolean answers(LeaseSemaphore semaphore) {
    try {
      semaphore.stats();
      return true;
    } catch (BackendUnavailableException notYet) {
      return false;
    }
  }

  @Test
  void lease82_aServerWithoutRoomIsAClearErrorAndLosesNoPermit() throws Exception {
    try (TestServer own = new TestServer("maxmemory 3mb", "maxmemory-policy noeviction")) {
      Leases leases = open(own.uri());
      LeaseSemaphore semaphore = leases.semaphore("door", 1);
      semaphore.acquire().close();
      own.admin().configSet("maxmemory", "1kb");
      assertThatThrownBy(semaphore::acquire).isInstanceOf(BackendUnavailableException.class).hasMessageContaining("OOM");
      own.admin().configSet("maxmemory", "100mb");
      semaphore.acquire().close();
      leases.close();
    }
  }

  // ---- connecting ----

  @Test
  void aWrongPasswordIsSaidClearlyAndNoSecretIsShown() {
    try (TestServer own = new TestServer("requirepass s3cret")) {
      for (String address :
          List.of("redis://:wr0ng@localhost:" + own.port(), "redis://wh0:wr0ng@localhost:" + own.port(), "redis://localhost:" + own.port())) {
        assertThatThrownBy(() -> RedisLeases.connect(address))
            .isInstanceOf(BackendUnavailableException.class)
            .hasMessageContaining("password")
            .satisfies(error -> assertThat(allText(error)).doesNotContain("wr0ng"));
      }
      Leases leases = RedisLeases.connect("redis://:s3cret@localhost:" + own.port() + "/3");
      assertThat(leases.toString()).doesNotContain("s3cret");
      leases.semaphore("door", 1).tryAcquire().orElseThrow().close();
      leases.close();
      assertThat(RedisLeases.builder().uri("rediss://:s3cret@h:1").toString()).contains("h:1").doesNotContain("s3cret");
      assertThatThrownBy(() -> RedisLeases.connect("redis://:s3cret@:not a port"))
          .isInstanceOf(IllegalArgumentException.class)
          .satisfies(error -> assertThat(allText(error)).doesNotContain("s3cret"));
    }
  }

  private static String allText(Throwable error) {
    StringBuilder text = new StringBuilder();
    for (Throwable one = error; one != null; one = one.getCause()) {
      text.append(one).append('\n');
    }
    return text.toString();
  }

  @Test
  void aServerThatIsNotThereOrTooOldIsSaidClearly() {
    assertThatThrownBy(() -> RedisLeases.builder().uri("redis://localhost:1").commandTimeout(Duration.ofMillis(300)).connect())
        .isInstanceOf(BackendUnavailableException.class)
        .hasMessageContaining("localhost:1");
    assertThatThrownBy(() -> Server.requireVersion("5.0.14")).isInstanceOf(BackendUnavailableException.class).hasMessageContaining("5.0.14");
    Server.requireVersion("6.2.11");
    Server.requireVersion("7.4.0");
    assertThatThrownBy(() -> RedisLeases.builder().connect()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClientOfTheCallersIsUsedAndLeftOpen() throws Exception {
    RedisClient own = RedisClient.create();
    try {
      Leases leases =
          RedisLeases.builder().client(own).uri(RedisURI.create(server.uri())).connect();
      leases.semaphore("door", 1).acquire().close();
      leases.close();
      try (var connection = own.connect(RedisURI.create(server.uri()))) {
        assertThat(connection.sync().ping()).isEqualTo("PONG");
      }
    } finally {
      own.shutdown();
    }
  }

  @Test
  void leasesWhoseClientWasShutDownBeforeAreClosedAllTheSame() throws Exception {
    RedisClient own = RedisClient.create();
    Leases leases =
        RedisLeases.builder().client(own).uri(RedisURI.create(server.uri())).connect();
    Lease lease = leases.semaphore("door", 1).acquire();
    CompletableFuture<Lease> waiter = leases.semaphore("door", 1).acquireAsync();
    eventually(() -> a.semaphore("door", 1).stats().waiting() == 1);
    own.shutdown();
    leases.close();
    assertThat(lease.isValid()).isFalse();
    assertThat(waiter).failsWithin(Duration.ofSeconds(5)).withThrowableThat().havingCause().isInstanceOf(ClosedException.class);
  }
}

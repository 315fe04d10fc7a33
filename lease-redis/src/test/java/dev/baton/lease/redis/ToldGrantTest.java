// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.Leases;
import dev.baton.observe.Baton;
import dev.baton.observe.Tracking;
import dev.baton.observe.WaitGraph;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A release tells its own process of the grants that it has made; other processes are told by a message. Either may be lost, or come late. */
@SuppressWarnings("NullAway.Init")
class ToldGrantTest {
  @AutoClose private static final TestServer server = new TestServer();
  private final World world = Worlds.VIRTUAL.create();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private Leases here;
  private Proxy proxy;
  private Leases far;

  @BeforeEach
  void connect() {
    server.admin().flushall();
    here = open(server.uri());
    proxy = new Proxy(server.port());
    opened.add(proxy);
    far = open(proxy.uri());
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  private Leases open(String uri) {
    Leases leases = RedisLeases.builder().uri(uri).commandTimeout(Duration.ofMillis(500)).connect();
    opened.add(leases);
    return leases;
  }

  private Actor<Lease> waiter(LeaseSemaphore semaphore, LeaseSemaphore seen) {
    long before = seen.stats().waiting();
    Actor<Lease> actor = world.call("waiter", () -> semaphore.acquire());
    Eventually.holds(world, () -> seen.stats().waiting() == before + 1);
    // Answers come in order: whoever waits has its own before this one, and no link is cut while it is on its way.
    semaphore.stats();
    return actor;
  }

  @Test
  void aHandOverInOneProcessIsOneCallAndNoMessage() throws Exception {
    LeaseSemaphore door = here.semaphore("door", 1).ttl(Duration.ofMinutes(1));
    Lease lease = door.acquire();
    Actor<Lease> waiter = waiter(door, door);
    server.admin().configResetstat();
    lease.close();
    Lease next = waiter.result();
    assertThat(server.calls("evalsha")).isEqualTo(1);
    assertThat(server.calls("publish")).isZero();
    assertThat(next.isValid()).isTrue();
    assertThat(next.slotNumber()).isEqualTo(1);
    assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    assertThat(next.remaining()).isBetween(Duration.ofSeconds(50), Duration.ofMinutes(1));
    next.close();
    assertThat(door.stats().released()).isEqualTo(2);
  }

  @Test
  void itIsHeldForLongerThanTheServerKeepsWhatItHasNotHeardOf() throws Exception {
    LeaseSemaphore door = here.semaphore("door", 1);
    Lease lease = door.acquire();
    Actor<Lease> waiter = waiter(door, door);
    lease.close();
    Lease next = waiter.result();
    Actor<Lease> third = waiter(far.semaphore("door", 1), door);
    world.pass(Duration.ofMillis(6_500));
    assertThat(next.isValid()).isTrue();
    assertThat(third.isDone()).isFalse();
    assertThat(door.stats().expired()).isZero();
    next.close();
    third.result().close();
  }

  @Test
  void aGrantToldByAnAnswerThatIsLostIsFoundAllTheSame() throws Exception {
    LeaseSemaphore door = far.semaphore("door", 1);
    LeaseSemaphore seen = here.semaphore("door", 1);
    Lease lease = door.acquire();
    Actor<Lease> waiter = waiter(door, seen);
    proxy.mute();
    lease.close(); // waits for an answer in vain
    assertThat(seen.stats().waiting()).as("it has been granted").isZero();
    assertThat(waiter.isDone()).isFalse();
    proxy.drop();
    proxy.mend();
    Lease next = waiter.result();
    assertThat(next.isValid()).isTrue();
    next.close();
    Eventually.holds(world, () -> seen.stats().holders() == 0);
    LeaseStats stats = seen.stats();
    assertThat(stats.granted()).isEqualTo(2);
    assertThat(stats.released()).isEqualTo(2);
  }

  /** The look, which comes after seconds, asks for the oldest only; the server keeps the other one's for five seconds, and then counts it as expired. */
  @Test
  void grantsToldByAnAnswerThatComesTooLateAreFoundBeforeTheyExpire() throws Exception {
    LeaseSemaphore doors = far.semaphore("doors", 3);
    LeaseSemaphore seen = here.semaphore("doors", 3);
    List<Lease> leases = List.of(doors.acquire(), doors.acquire(), doors.acquire());
    List<Actor<Lease>> waiters = List.of(waiter(doors, seen), waiter(doors, seen), waiter(doors, seen));
    proxy.keepBack(Proxy.REQUESTS);
    List<Actor<Boolean>> closing = new ArrayList<>();
    for (Lease lease : leases) {
      closing.add(
          world.call(
              "closing",
              () -> {
                lease.close(); // waits for an answer in vain
                return true;
              }));
    }
    for (Actor<Boolean> each : closing) {
      each.result();
    }
    assertThat(seen.stats().waiting()).as("they have been granted").isZero();
    proxy.deliver();
    for (Actor<Lease> waiter : waiters) {
      Lease lease = waiter.result();
      assertThat(lease.isValid()).isTrue();
      lease.close();
    }
    Eventually.holds(world, () -> seen.stats().holders() == 0);
    assertThat(seen.stats().expired()).isZero();
    assertThat(seen.stats().granted()).isEqualTo(6);
    assertThat(seen.stats().released()).isEqualTo(6);
  }

  @Test
  void ifItsProcessIsGoneTheNextWaitsForSecondsAndNotForAWindow() throws Exception {
    LeaseSemaphore door = far.semaphore("door", 1);
    LeaseSemaphore seen = here.semaphore("door", 1);
    Lease lease = door.acquire();
    CompletableFuture<Lease> dead = door.acquireAsync();
    Eventually.holds(world, () -> seen.stats().waiting() == 1);
    Actor<Lease> alive = waiter(seen, seen);
    proxy.mute();
    lease.close();
    proxy.cut();
    long start = System.nanoTime();
    assertThat(alive.result().isValid()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    dead.cancel(true);
  }

  @Test
  void oneWhoGivesUpWhileItIsToldOfItsGrantHoldsNothing() throws Exception {
    LeaseSemaphore door = here.semaphore("door", 1);
    for (int i = 0; i < 200; i++) {
      Lease lease = door.acquire();
      CompletableFuture<Lease> waiter = door.acquireAsync();
      Actor<Boolean> giving = world.call("gives up", () -> waiter.cancel(true));
      lease.close();
      if (!giving.result()) {
        waiter.join().close();
      }
      assertThat(door.tryAcquire(Duration.ofSeconds(5))).as("the next one").hasValueSatisfying(Lease::close);
    }
    Eventually.holds(world, () -> door.stats().holders() == 0 && door.stats().waiting() == 0);
    assertThat(door.stats().expired()).isZero();
  }

  @Test
  void aBeatThatWasSentBeforeAGrantDoesNotEndIt() throws Exception {
    LeaseSemaphore seen = here.semaphore("door", 1);
    Lease lease = seen.acquire();
    Actor<Lease> waiter = waiter(far.semaphore("door", 1).window(Duration.ofSeconds(2)), seen);
    proxy.keepBack(Proxy.BEATS);
    server.admin().flushall(); // nobody is known any more: so says the next beat
    Eventually.holds(world, () -> proxy.keptBack() > 0);
    Lease next = waiter.result(); // asked for anew by the next look
    assertThat(next.isValid()).isTrue();
    proxy.deliver();
    server.admin().configResetstat();
    Eventually.holds(world, () -> server.calls("evalsha") > 0); // the next beat, after the late one
    assertThat(next.isValid()).isTrue();
    next.close();
    lease.close();
  }

  @Test
  void grantsThatAreToldAndGrantsThatAreClaimedKeepTheLimit() throws Exception {
    Leases other = open(server.uri());
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Actor<Integer>> workers = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      LeaseSemaphore busy = (i % 2 == 0 ? here : other).semaphore("busy", 3);
      workers.add(
          world.call(
              "worker",
              () -> {
                int done = 0;
                for (int n = 0; n < 100; n++) {
                  try (Lease lease = busy.acquire()) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    done += lease.isValid() ? 1 : 0;
                    inside.decrementAndGet();
                  }
                }
                return done;
              }));
    }
    for (Actor<Integer> worker : workers) {
      assertThat(worker.result()).isEqualTo(100);
    }
    assertThat(most.get()).isBetween(1, 3);
    LeaseStats stats = here.semaphore("busy", 3).stats();
    assertThat(stats.granted()).isEqualTo(2_400);
    assertThat(stats.released()).isEqualTo(2_400);
    assertThat(stats.holders()).isZero();
    assertThat(stats.waiting()).isZero();
    assertThat(server.keysInUse()).isEmpty();
  }

  @Test
  void holdersAndThoseWhoWaitForThemAreInTheDump() throws Exception {
    Baton.track(Tracking.ON);
    try {
      LeaseSemaphore door = here.semaphore("door", 1);
      CompletableFuture<Void> go = new CompletableFuture<>();
      Actor<Boolean> holder =
          world.call(
              "holder",
              () -> {
                try (Lease lease = door.acquire()) {
                  go.join();
                  return lease.isValid();
                }
              });
      Eventually.holds(world, () -> door.stats().holders() == 1);
      Actor<Lease> waiter = waiter(door, door);
      WaitGraph graph = Baton.dump();
      WaitGraph.Wait wait =
          graph.waits().stream().filter(one -> one.resource().state().contains("door")).findFirst().orElseThrow();
      assertThat(graph.holdersOf(wait.resource())).as(graph.toText()).hasSize(1).allMatch(hold -> hold.task().isKnown());
      go.complete(null);
      assertThat(holder.result()).isTrue();
      waiter.result().close();
    } finally {
      Baton.track(Tracking.OFF);
    }
  }
}

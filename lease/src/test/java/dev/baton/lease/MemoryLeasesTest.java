// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.memory.MemoryStore;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseStore;
import dev.baton.world.Actor;
import dev.baton.world.SteppedWorld;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases in memory, in every world. */
@ParameterizedClass(name = "{0}")
@EnumSource(Worlds.class)
@SuppressWarnings("NullAway.Init") // set by JUnit, and when first needed
class MemoryLeasesTest extends LeaseConformance {
  @Parameter private Worlds kind;
  private World world;
  private final Leases leases = Leases.inMemory();

  @Override
  protected World world() {
    if (world == null) {
      world = kind.create();
    }
    return world;
  }

  @Override
  protected Leases leases() {
    return leases;
  }

  @Override
  protected int repetitions() {
    return kind == Worlds.VIRTUAL ? 100_000 / 3 : kind == Worlds.STEPPED ? 200 : 2_000;
  }

  @Override
  protected int crowd() {
    return kind == Worlds.VIRTUAL ? 10_000 : 200;
  }

  @AfterEach
  void closesWithoutResidue() {
    leases.close();
    assertThat(leases.names()).isEmpty();
    if (world instanceof SteppedWorld stepped) {
      world.settle();
      assertThat(stepped.host().alarms()).as("timers of closed leases").isZero();
    }
  }

  private SteppedWorld virtualTime() {
    Assumptions.assumeTrue(kind == Worlds.STEPPED, "takes a minute otherwise");
    return (SteppedWorld) world();
  }

  @Test
  void lease25_onlyTheMonotonicClockCounts() {
    SteppedWorld stepped = virtualTime();
    // The wall clock of this host is its epoch plus what has passed; that of threads is half a century ahead.
    LeaseSemaphore semaphore = semaphore(1).ttl(Duration.ofHours(2));
    Lease lease = hold(semaphore);
    stepped.pass(Duration.ofMinutes(119));
    assertThat(lease.isValid()).isTrue();
    assertThat(lease.remaining()).isEqualTo(Duration.ofMinutes(1));
    stepped.pass(Duration.ofMinutes(1));
    assertThat(lease.isValid()).isFalse();
    assertThat(semaphore.stats().expired()).isEqualTo(1);
  }

  @Test
  void lease34_aMillionNamesUsedOnceAreForgotten() {
    virtualTime();
    world()
        .start(
            "user of names",
            () -> {
              for (int i = 0; i < 1_000_000; i++) {
                leases.semaphore("name " + i, 1).tryAcquire().orElseThrow().close();
              }
            })
        .result();
    assertThat(leases.names()).hasSize(1_000_000);
    world().pass(Duration.ofSeconds(59));
    assertThat(leases.names()).hasSize(1_000_000);
    world().pass(Duration.ofSeconds(1));
    assertThat(leases.names()).isEmpty();
  }

  @Test
  void lease36_aNameInUseIsNotForgotten() {
    virtualTime();
    LeaseSemaphore semaphore = semaphore(1).idleTtl(Duration.ofSeconds(10));
    Lease lease = hold(semaphore);
    world().pass(Duration.ofSeconds(25));
    assertThat(leases.names()).containsExactly(semaphore.name());
    Actor<Lease> waiter = waiter(semaphore, 1);
    lease.close();
    world().pass(Duration.ofSeconds(25));
    assertThat(leases.names()).containsExactly(semaphore.name());
    in(() -> waiter.result().release());
    world().pass(Duration.ofSeconds(9));
    hold(semaphore);
    assertThat(semaphore.holders()).hasSize(1);
  }

  @Test
  void lease36b_ofHowLongANameIsKeptWhatWasSaidLastHolds() {
    virtualTime();
    LeaseSemaphore semaphore = semaphore(1);
    hold(semaphore).close();
    hold(semaphore.idleTtl(Duration.ofSeconds(1))).close();
    world().pass(Duration.ofMillis(999));
    assertThat(leases.names()).containsExactly(semaphore.name());
    world().pass(Duration.ofMillis(1));
    assertThat(leases.names()).isEmpty();
    hold(semaphore.idleTtl(Duration.ofSeconds(1))).close();
    hold(semaphore).close();
    world().pass(Duration.ofSeconds(59));
    assertThat(leases.names()).containsExactly(semaphore.name());
    world().pass(Duration.ofSeconds(1));
    assertThat(leases.names()).isEmpty();
  }

  @Test
  void lease36c_toResizeANameIsToUseIt() {
    virtualTime();
    LeaseSemaphore semaphore = semaphore(1).idleTtl(Duration.ofSeconds(10));
    hold(semaphore).close();
    world().pass(Duration.ofSeconds(9));
    world().start("operator", () -> semaphore.resize(5)).result();
    world().pass(Duration.ofSeconds(9));
    assertThat(semaphore.stats().limit()).isEqualTo(5);
    world().start("operator", () -> semaphore.idleTtl(LONG).resize(6)).result();
    world().pass(LONG.minusSeconds(1));
    assertThat(semaphore.stats().limit()).isEqualTo(6);
    world().pass(Duration.ofSeconds(1));
    assertThat(leases.names()).isEmpty();
  }

  @Test
  void lease33_oneWhoIsRefusedDoesNotSayHowLongANameIsKept() {
    virtualTime();
    LeaseSemaphore semaphore = semaphore(1);
    hold(semaphore).close();
    LeaseSemaphore other = leases.semaphore(semaphore.name(), 2).idleTtl(Duration.ofSeconds(1));
    assertThat(world().call("asks", other::acquire).failure()).isInstanceOf(LimitMismatchException.class);
    world().pass(Duration.ofSeconds(59));
    assertThat(leases.names()).containsExactly(semaphore.name());
    world().pass(Duration.ofSeconds(1));
    assertThat(leases.names()).isEmpty();
  }

  @Test
  void lease90_aHandleOutlivesTheStateOfItsName() {
    virtualTime();
    LeaseSemaphore semaphore = semaphore(2);
    Lease before = hold(semaphore);
    before.close();
    world().pass(Duration.ofMinutes(5));
    assertThat(leases.names()).isEmpty();
    assertThat(before.release()).isEqualTo(ReleaseResult.UNKNOWN);
    assertThat(semaphore.release(before.id())).isEqualTo(ReleaseResult.UNKNOWN);
    Lease after = hold(semaphore);
    assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
    assertThat(leases.semaphore(semaphore.name(), 2).stats().acquired()).isEqualTo(1);
    // With its old state its old limit is gone too.
    after.close();
    world().pass(Duration.ofMinutes(5));
    hold(leases.semaphore(semaphore.name(), 7));
  }

  @Test
  void lease91_thereIsOneSharedRegistryAndEachOtherIsItsOwn() {
    assertThat(Leases.shared()).isSameAs(Leases.shared());
    assertThat(Leases.inMemory()).isNotSameAs(Leases.shared()).isNotSameAs(Leases.inMemory());
    String name = newName();
    try (Lease lease = hold(Leases.shared().semaphore(name, 1))) {
      assertThat(Leases.shared().semaphore(name, 1).isFull()).isTrue();
      assertThat(leases.semaphore(name, 1).isFull()).isFalse();
      Leases.shared().close();
      assertThat(lease.isValid()).isTrue();
      assertThat(Leases.shared().isClosed()).isFalse();
    }
    if (kind == Worlds.STEPPED) {
      world().pass(Duration.ofMinutes(2));
      assertThat(Leases.shared().names()).doesNotContain(name);
    }
  }

  @Test
  void tokensGoOnWhenANameComesAgainAtTheSameTime() {
    virtualTime();
    LeaseSemaphore semaphore = semaphore(1).idleTtl(Duration.ofNanos(1));
    long last = 0;
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 100; i++) {
        long token = in(() -> { try (Lease lease = semaphore.acquire()) { return lease.fencingToken(); } });
        assertThat(token).isGreaterThan(last);
        last = token;
      }
      world().pass(Duration.ofNanos(10));
      assertThat(leases.names()).isEmpty();
    }
  }

  @Test
  void whoIsToldThatALeaseIsLostFindsItsPermitsBack() {
    virtualTime();
    MemoryStore memory = new MemoryStore();
    // Its timer has come as far as to end a lease, and not to its permits.
    LeaseStore halfway =
        (LeaseStore)
            Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(),
                new Class<?>[] {LeaseStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("expire")) {
                    ((HeldLease) arguments[0]).endIfOver();
                    return null;
                  }
                  return method.invoke(memory, arguments);
                });
    try (Leases halfwayLeases = Leases.on(halfway)) {
      LeaseSemaphore semaphore = halfwayLeases.semaphore("halfway", 2).ttl(Duration.ofSeconds(1));
      Lease one = hold(semaphore);
      Lease other = hold(semaphore);
      Actor<Lease> next = waiter(semaphore, 1);
      world().pass(Duration.ofSeconds(1));
      assertThat(semaphore.stats().expired()).isZero();
      assertThat(one.release()).isEqualTo(ReleaseResult.EXPIRED);
      assertThat(semaphore.release(other.id())).isEqualTo(ReleaseResult.EXPIRED);
      assertThat(semaphore.stats().expired()).isEqualTo(2);
      assertThat(one.release()).isEqualTo(ReleaseResult.EXPIRED);
      assertThat(next.result().release()).isEqualTo(ReleaseResult.RELEASED);
      assertWhole(semaphore);
    }
  }

  @Test
  void oneTimerServesManyLeasesAndIsGoneWithThem() {
    SteppedWorld stepped = virtualTime();
    LeaseSemaphore semaphore = semaphore(1_000);
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      held.add(hold(semaphore.ttl(Duration.ofSeconds(1 + i % 50))));
    }
    assertThat(stepped.host().alarms()).isEqualTo(1);
    world().pass(Duration.ofSeconds(25));
    assertThat(held.stream().filter(Lease::isValid)).hasSize(500);
    assertThat(semaphore.stats().expired()).isEqualTo(500);
    held.forEach(Lease::close);
    assertThat(semaphore.stats().released()).isEqualTo(500);
    world().pass(Duration.ofMinutes(2));
    assertThat(leases.names()).isEmpty();
    assertThat(stepped.host().alarms()).isZero();
  }

  @Test
  void aLeaseThatWasExtendedForEverLeavesNothingBehind() {
    SteppedWorld stepped = virtualTime();
    LeaseSemaphore semaphore = semaphore(2).ttl(Duration.ofSeconds(1));
    Lease before = hold(semaphore);
    Lease after = hold(semaphore);
    assertThat(before.extend(Lease.FOREVER)).isTrue();
    assertThat(after.extend(Lease.FOREVER)).isTrue();
    in(before::release);
    world().pass(Duration.ofSeconds(2));
    assertThat(stepped.host().alarms()).isZero();
    in(after::release);
    world().pass(Duration.ofMinutes(2));
    assertThat(leases.names()).isEmpty();
    assertThat(stepped.host().alarms()).isZero();
  }

  @Test
  void tenThousandChainedCallbacksDoNotOverflowTheStack() {
    LeaseSemaphore semaphore = semaphore(1);
    int chain = kind == Worlds.STEPPED ? 300 : 10_000;
    Lease lease = hold(semaphore);
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < chain; i++) {
      semaphore.acquireAsync().thenAccept(next -> { done.incrementAndGet(); next.close(); });
    }
    lease.close();
    eventually(() -> done.get() == chain);
    assertWhole(semaphore);
  }
}

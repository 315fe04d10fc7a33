// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static dev.baton.world.RealTime.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.runtime.Clock;
import dev.baton.runtime.Cooperative;
import dev.baton.scope.Time;
import dev.baton.world.World;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Leases that are left behind by a run of cooperative tasks: they end as if it went on. */
class LeaseAfterRunTest {
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofHours(1);

  private final Leases leases = Leases.inMemory();
  private final List<LossReason> losses = new CopyOnWriteArrayList<>();

  static List<Clock> clocks() {
    return List.of(Clock.real(), Clock.virtual());
  }

  @AfterEach
  void close() {
    leases.close();
  }

  private Lease leftBehind(Clock clock, LeaseSemaphore semaphore) throws Exception {
    return Cooperative.create()
        .clock(clock)
        .run(
            () -> {
              Lease lease = semaphore.acquire();
              lease.onLost(losses::add);
              return lease;
            });
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void itsTimeToLiveGoesOn(Clock clock) throws Exception {
    LeaseSemaphore semaphore = leases.semaphore("left", 1).ttl(SHORT);
    Lease lease = leftBehind(clock, semaphore);
    try (Lease next = semaphore.tryAcquire(World.PATIENCE).orElseThrow()) {
      assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
      assertThat(lease.isValid()).isFalse();
      assertThat(lease.lost()).contains(LossReason.EXPIRED);
    }
    assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
    assertThat(semaphore.stats().expired()).isEqualTo(1);
    eventually(() -> losses.equals(List.of(LossReason.EXPIRED)));
  }

  @Test
  void whatWasLeftOfItInVirtualTimePassesInRealTime() throws Exception {
    LeaseSemaphore semaphore = leases.semaphore("left", 1).ttl(LONG);
    Lease lease =
        Cooperative.create()
            .run(
                () -> {
                  Lease mine = semaphore.acquire();
                  Time.sleep(LONG.minus(SHORT));
                  assertThat(mine.isValid()).isTrue();
                  return mine;
                });
    assertThat(lease.remaining()).isLessThanOrEqualTo(SHORT);
    eventually(() -> lease.lost().isPresent());
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void itCanBeExtendedAndReleased(Clock clock) throws Exception {
    LeaseSemaphore semaphore = leases.semaphore("left", 1).ttl(LONG);
    Lease lease = leftBehind(clock, semaphore);
    assertThat(lease.extend(LONG.multipliedBy(2))).isTrue();
    assertThat(lease.remaining()).isGreaterThan(LONG);
    assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
    assertThat(losses).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void whoeverRevokesItTellsItsHolder(Clock clock) throws Exception {
    LeaseSemaphore semaphore = leases.semaphore("left", 1);
    assertThat(semaphore.revoke(leftBehind(clock, semaphore).id())).isTrue();
    eventually(() -> losses.equals(List.of(LossReason.REVOKED)));
    String id = leftBehind(clock, semaphore).id();
    CompletableFuture.runAsync(() -> semaphore.revoke(id)).get();
    eventually(() -> losses.size() == 2);
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void itsNameIsForgotten(Clock clock) throws Exception {
    LeaseSemaphore semaphore = leases.semaphore("left", 1).idleTtl(SHORT);
    leftBehind(clock, semaphore).close();
    assertThat(leases.names()).containsExactly("left");
    eventually(() -> leases.names().isEmpty());
    Cooperative.create().clock(clock).run(() -> semaphore.acquire().close());
    eventually(() -> leases.names().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void oneThatIsStillAskedForIsGivenUpInTime(Clock clock) throws Exception {
    LeaseSemaphore semaphore = leases.semaphore("left", 1);
    try (Lease _ = semaphore.acquire()) {
      CompletableFuture<Lease> asked = Cooperative.create().clock(clock).run(() -> semaphore.acquireAsync(SHORT));
      assertThat(asked.handle((lease, why) -> why).get(20, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
      assertThat(semaphore.stats().waiting()).isZero();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.check.Check;
import dev.baton.check.CheckFailedError;
import dev.baton.runtime.Cooperative;
import dev.baton.runtime.DeadlockException;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Leases under many schedules, in virtual time: nothing is lost, nothing is left, and a deadlock is found. */
class LeaseCheckTest {
  private static final int SEEDS = 200;

  @Test
  void interruptsTimeOutsAndCancellationsLoseNothing() {
    Check.that(
            () -> {
              try (Leases leases = Leases.inMemory()) {
                LeaseSemaphore semaphore = leases.semaphore("door", 2);
                Scope.run(
                    scope -> {
                      Task<Object> interrupted = scope.fork(() -> { semaphore.acquire(2).close(); return null; });
                      scope.fork(() -> { semaphore.tryAcquire(Duration.ofMillis(1)).ifPresent(Lease::close); return null; });
                      scope.fork(
                          () -> {
                            CompletableFuture<Lease> future = semaphore.acquireAsync();
                            if (!future.cancel(false)) {
                              future.join().close();
                            }
                            return null;
                          });
                      scope.fork(() -> { semaphore.acquire().close(); return null; });
                      interrupted.cancel();
                      try {
                        scope.join();
                      } catch (java.util.concurrent.CancellationException ofTheOne) {
                        // as meant
                      }
                    });
                LeaseStats stats = semaphore.stats();
                assertThat(stats.acquired()).isZero();
                assertThat(stats.waiting()).isZero();
                assertThat(stats.granted()).isEqualTo(stats.released());
                semaphore.tryAcquire(2).orElseThrow().close();
              }
            })
        .seeds(SEEDS)
        .run();
  }

  @Test
  void expiryReleaseAndExtensionMeetInAnyOrder() {
    Check.that(
            () -> {
              try (Leases leases = Leases.inMemory()) {
                LeaseSemaphore semaphore = leases.semaphore("door", 1).ttl(Duration.ofSeconds(1));
                AtomicInteger inside = new AtomicInteger();
                Scope.run(
                    scope -> {
                      for (int i = 0; i < 3; i++) {
                        int extra = i;
                        scope.fork(
                            () -> {
                              Lease lease = semaphore.acquire();
                              lease.onLost(why -> inside.addAndGet(100));
                              assertThat(lease.isValid()).isTrue();
                              Time.sleep(Duration.ofMillis(999 + extra));
                              boolean more = lease.extend(Duration.ofMillis(1));
                              ReleaseResult result = lease.release();
                              assertThat(result)
                                  .isEqualTo(more ? ReleaseResult.RELEASED : ReleaseResult.EXPIRED);
                              return null;
                            });
                      }
                      scope.join();
                    });
                assertThat(semaphore.stats().granted()).isEqualTo(3);
                assertThat(semaphore.stats().released() + semaphore.stats().expired()).isEqualTo(3);
              }
            })
        .seeds(SEEDS)
        .run();
  }

  @Test
  void oneThatIsNeitherValidNorReleasedIsKnownToBeLost() {
    Check.that(
            () -> {
              try (Leases leases = Leases.inMemory()) {
                LeaseSemaphore semaphore = leases.semaphore("door", 1).ttl(Duration.ofSeconds(1));
                Lease lease = semaphore.acquire();
                // Whoever looks whose time is over comes at this very moment, or later.
                Time.sleep(Duration.ofSeconds(1));
                assertThat(lease.isValid()).isFalse();
                assertThat(lease.lost()).contains(LossReason.EXPIRED);
                assertThat(lease.release()).isEqualTo(ReleaseResult.EXPIRED);
                semaphore.tryAcquire().orElseThrow().close();
                assertThat(semaphore.stats().expired()).isEqualTo(1);
              }
            })
        .seeds(SEEDS)
        .run();
  }

  @Test
  void twoLeasesTakenCrosswiseAreFoundToBeADeadlock() {
    assertThatThrownBy(
            () ->
                Check.that(
                        () -> {
                          Leases leases = Leases.inMemory();
                          LeaseSemaphore a = leases.semaphore("a", 1);
                          LeaseSemaphore b = leases.semaphore("b", 1);
                          Scope.run(
                              scope -> {
                                scope.fork(() -> { a.acquire(); b.acquire(); return null; });
                                scope.fork(() -> { b.acquire(); a.acquire(); return null; });
                                scope.join();
                              });
                        })
                    .seeds(SEEDS)
                    .allowLeaks()
                    .run())
        .isInstanceOf(CheckFailedError.class)
        .hasMessageContaining("eadlock")
        .hasMessageContaining("LeaseSemaphore");
  }

  @Test
  void toWaitForALeaseThatWasExtendedForEverIsADeadlock() {
    assertThatThrownBy(
            () ->
                Cooperative.create()
                    .run(
                        () -> {
                          LeaseSemaphore door = Leases.inMemory().semaphore("door", 1).ttl(Duration.ofSeconds(1));
                          Lease lease = door.acquire();
                          assertThat(lease.extend(Lease.FOREVER)).isTrue();
                          return door.acquire();
                        }))
        .isInstanceOf(DeadlockException.class);
  }

  @Test
  void theSameSeedGivesTheSameIdsTokensAndOrder() throws Exception {
    List<List<String>> runs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      runs.add(
          Cooperative.create()
              .seed(7)
              .run(
                  () -> {
                    List<String> seen = new ArrayList<>();
                    Leases leases = Leases.inMemory();
                    LeaseSemaphore semaphore = leases.semaphore("same", 2).ttl(Duration.ofSeconds(2));
                    Scope.run(
                        scope -> {
                          for (int t = 0; t < 5; t++) {
                            scope.fork(
                                () -> {
                                  try (Lease lease = semaphore.acquire()) {
                                    seen.add(lease.id() + " " + lease.slotNumber() + " " + lease.fencingToken());
                                    Time.sleep(Duration.ofSeconds(1));
                                  }
                                  return null;
                                });
                          }
                          scope.join();
                        });
                    leases.close();
                    return seen;
                  }));
    }
    assertThat(runs.get(0)).hasSize(5).isEqualTo(runs.get(1));
  }
}

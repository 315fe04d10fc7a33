// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.LossReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults that need a process of their own or two servers, one at a time. */
class DirectedFaultTest {
  private static final Resource TRIO = Resource.ALL.get(1);
  private static final long WINDOW = Resource.WINDOW.toNanos();

  @TempDir
  private Path directory;

  private static LeaseSemaphore semaphore(Leases leases, Resource resource) {
    return leases.semaphore(resource.name(), resource.limit()).window(Resource.WINDOW);
  }

  @Test
  void lease78_afterAFailOverThereAreAsManyTooManyAsWereForgottenAndForNoLongerThanAWindow() throws Exception {
    try (Servers servers = new Servers(directory);
        Leases one = Worker.connect("" + servers.newWire().port(), false);
        Leases other = Worker.connect("" + servers.newWire().port(), true)) {
      Lease known = semaphore(one, TRIO).acquire();
      servers.awaitReplica();
      servers.stopReplicating();
      List<Lease> forgotten = List.of(semaphore(one, TRIO).acquire(), semaphore(one, TRIO).acquire());

      servers.strike(new Plan.Strike(Fault.FAIL_OVER, 0, 0, 0, 0));
      long since = System.nanoTime();

      List<Lease> granted = List.of(semaphore(other, TRIO).acquire(), semaphore(other, TRIO).acquire());
      assertThat(semaphore(other, TRIO).tryAcquire()).as("as many as were forgotten, and no more").isEmpty();
      assertThat(granted).allMatch(lease -> lease.fencingToken() > forgotten.get(1).fencingToken());
      AtomicLong seen = new AtomicLong(since);
      Soon.holds("what was forgotten is not valid any more", () -> noneIsValid(forgotten, seen));
      assertThat(seen.get() - since).as("nanoseconds for which too many were valid").isLessThan(WINDOW);
      Soon.holds("its holder is told", () -> forgotten.stream().allMatch(lease -> lease.lost().equals(Optional.of(LossReason.UNREACHABLE))));
      assertThat(known.isValid()).as("what was replicated is kept").isTrue();
      assertThat(semaphore(other, TRIO).stats().acquired()).isEqualTo(TRIO.limit());
    }
  }

  /** Whether none of them is valid; else {@code seen} is a moment at which one was. */
  private static boolean noneIsValid(List<Lease> leases, AtomicLong seen) {
    long now = System.nanoTime();
    boolean none = leases.stream().noneMatch(Lease::isValid);
    if (!none) {
      seen.set(now);
    }
    return none;
  }

  @Test
  void lease83_aProcessThatStoodStillFindsOutTruthfullyAndOnceWhetherItsLeaseHasSurvived() throws Exception {
    Resource solo = Resource.ALL.get(0);
    try (Servers servers = new Servers(directory);
        Leases other = Worker.connect("" + servers.primary().port, false)) {
      Child child = new Child(directory, 1, Child.OUR_CLASSES, Holder.class, servers.newWire().port());
      try {
        child.awaitReady();
        child.pause();
        Soon.pause(Resource.WINDOW.toMillis() / 4);
        child.resume();
        long survived = System.nanoTime();
        Soon.pause(Resource.WINDOW.toMillis());
        assertThat(semaphore(other, solo).stats().expired()).as("beats went on").isZero();

        child.pause();
        Lease next = semaphore(other, solo).acquire(Duration.ofSeconds(30));
        long handedOver = System.nanoTime();
        child.resume();
        Soon.holds("it finds out", () -> child.hasSaid("lost"));
        child.order("quit");
        assertThat(child.awaitEnd()).isTrue();
        assertThat(next.isValid()).as("a late beat or release takes it from nobody").isTrue();

        History history = new History();
        history.read(child.journal, false);
        Tenure tenure = history.tenures.get(0);
        assertThat(tenure.validUntil).isGreaterThan(survived).isLessThan(handedOver);
        assertThat(tenure.losses).singleElement().satisfies(loss -> assertThat(loss.why()).isEqualTo("UNREACHABLE"));
        assertThat(tenure.ended).isEqualTo("EXPIRED");
        assertThat(child.complaints()).isEmpty();
      } finally {
        child.kill();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static dev.baton.world.RealTime.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.observe.Baton;
import dev.baton.observe.Named;
import dev.baton.observe.Observer;
import dev.baton.observe.Tracking;
import dev.baton.observe.Usage;
import dev.baton.observe.WaitGraph;
import dev.baton.world.World;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Leases in the registry of named things, in flight recordings and before observers. */
@Timeout(60)
class LeaseObservedTest {
  @TempDir Path folder = Path.of("");

  private static List<Named> called(String name) {
    return Baton.named().stream().filter(thing -> thing.name().equals(name)).toList();
  }

  @Test
  void aNameIsListedOnceHoweverManyHandlesObserveIt() throws Exception {
    try (Leases leases = Leases.inMemory()) {
      LeaseSemaphore one = leases.semaphore("LeaseObservedTest listed", 3).observed();
      LeaseSemaphore two = leases.semaphore("LeaseObservedTest listed", 3).observed().ttl(Duration.ofMinutes(1));
      leases.semaphore("LeaseObservedTest unlisted", 3).acquire().close();
      assertThat(called("LeaseObservedTest listed")).hasSize(1);
      assertThat(called("LeaseObservedTest unlisted")).isEmpty();
      Named named = called("LeaseObservedTest listed").getFirst();
      assertThat(named.kind()).isEqualTo("lease");
      assertThat(named.usage()).contains(new Usage(3, 0, 0));
      Lease lease = two.acquire(2);
      CompletableFuture<Lease> waiting = one.acquireAsync(2);
      assertThat(named.usage()).contains(new Usage(1, 2, 1));
      waiting.cancel(true);
      lease.close();
      assertThat(named.usage()).contains(new Usage(3, 0, 0));
      assertThat(one.name()).isEqualTo(two.name());
    }
  }

  @Test
  void itIsListedAsLongAsSomebodyHasAHandle() {
    try (Leases leases = Leases.inMemory()) {
      leases.semaphore("LeaseObservedTest gone", 3).observed();
      eventually(
          () -> {
            System.gc();
            return called("LeaseObservedTest gone").isEmpty();
          });
      LeaseSemaphore again = leases.semaphore("LeaseObservedTest gone", 3).observed();
      assertThat(called("LeaseObservedTest gone")).hasSize(1);
      assertThat(again.limit()).isEqualTo(3);
    }
  }

  @Test
  void manyNamesAreObservedAtTheSamePriceAsFew() {
    try (Leases leases = Leases.inMemory()) {
      List<LeaseSemaphore> handles = new ArrayList<>();
      // A price that grew with the names would be paid so often that the time of this test is over long before.
      for (int i = 0; i < 300_000; i++) {
        assertThat(Thread.currentThread().isInterrupted()).as("over").isFalse();
        handles.add(leases.semaphore("LeaseObservedTest many " + i, 1).observed());
      }
      assertThat(handles).hasSize(300_000);
    }
  }

  @Test
  void aNameOfWhichNothingCanBeSeenIsListedAllTheSame() throws Exception {
    try (Leases leases = Leases.inMemory()) {
      LeaseSemaphore blank = leases.semaphore(" \n", 2).observed();
      try (Lease _ = blank.acquire()) {
        assertThat(called("\\u0020\\u000a"))
            .singleElement()
            .satisfies(named -> assertThat(named.usage()).contains(new Usage(1, 1, 0)));
      }
      assertThat(blank.name()).isEqualTo(" \n");
    }
  }

  @Test
  void observersAreToldOfWaitsAndHolds() throws Exception {
    List<String> told = new CopyOnWriteArrayList<>();
    Observer observer =
        new Observer() {
          @Override
          public void waited(Named thing, Duration time, boolean granted) {
            told.add((granted ? "waited for " : "waited in vain for ") + thing);
          }

          @Override
          public void held(Named thing, Duration time) {
            told.add("held " + thing);
          }
        };
    try (Observer.Registration registration = Baton.observe(observer);
        Leases leases = Leases.inMemory()) {
      assertThat(registration).isNotNull();
      LeaseSemaphore semaphore = leases.semaphore("told", 1).observed();
      Lease lease = semaphore.acquire();
      assertThat(semaphore.tryAcquire()).isEmpty();
      assertThat(told).isEmpty();
      assertThat(semaphore.tryAcquire(Duration.ofMillis(1))).isEmpty();
      CompletableFuture<Lease> cancelled = semaphore.acquireAsync();
      cancelled.cancel(true);
      CompletableFuture<Lease> late = semaphore.acquireAsync(Duration.ofMillis(1));
      eventually(late::isDone);
      assertThat(told).hasSize(3).allMatch("waited in vain for lease \"told\""::equals);
      told.clear();
      CompletableFuture<Lease> granted = semaphore.acquireAsync();
      lease.close();
      granted.get().close();
      assertThat(told).containsExactly("held lease \"told\"", "waited for lease \"told\"", "held lease \"told\"");
    }
  }

  @Test
  void aLeaseThatIsLostIsRecorded() throws Exception {
    try (Recording recording = new Recording();
        Leases leases = Leases.inMemory()) {
      recording.enable("dev.baton.LeaseLost");
      recording.start();
      LeaseSemaphore semaphore = leases.semaphore("lost", 2).ttl(Duration.ofMillis(5));
      Lease expired = semaphore.acquire();
      eventually(() -> expired.lost().isPresent());
      Lease revoked = leases.semaphore("lost", 2).acquire();
      semaphore.revoke(revoked.id());
      leases.semaphore("lost", 2).acquire().close();
      // It is recorded after the lease is seen to be lost.
      eventually(() -> losses(recording).size() == 2);
      List<RecordedEvent> events = losses(recording);
      assertThat(events).extracting(event -> event.getString("reason")).containsExactlyInAnyOrder("EXPIRED", "REVOKED");
      assertThat(events).extracting(event -> event.getString("lease")).containsExactlyInAnyOrder(expired.id(), revoked.id());
      assertThat(events)
          .allMatch(event -> event.getString("name").equals("lost"))
          .allMatch(event -> !event.getString("store").isEmpty())
          .allMatch(event -> !event.getString("holder").isEmpty());
      RecordedEvent byTime =
          events.stream().filter(event -> event.getString("reason").equals("EXPIRED")).findFirst().orElseThrow();
      assertThat(byTime.getDuration("held")).isBetween(Duration.ofMillis(5), World.PATIENCE);
    }
  }

  private List<RecordedEvent> losses(Recording recording) {
    try {
      Path file = Files.createTempFile(folder, "flight", ".jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getEventType().getName().equals("dev.baton.LeaseLost"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void holdersAndThoseWhoWaitForThemAreInTheDump() throws Exception {
    Baton.track(Tracking.ON);
    try (Leases leases = Leases.inMemory()) {
      LeaseSemaphore door = leases.semaphore("door", 1);
      Lease lease = door.acquire();
      CompletableFuture<Boolean> first = new CompletableFuture<>();
      Thread.startVirtualThread(() -> have(door, first));
      eventually(() -> !Baton.dump().waits().isEmpty());
      WaitGraph graph = Baton.dump();
      WaitGraph.Resource resource = graph.waits().getFirst().resource();
      assertThat(resource.name()).startsWith("LeaseSemaphore");
      assertThat(graph.holdersOf(resource))
          .singleElement()
          .satisfies(hold -> assertThat(hold.task().id()).isEqualTo(Thread.currentThread().threadId()));
      lease.close();
      assertThat(first.join()).isTrue();
      Lease ofAFuture = door.acquireAsync().join();
      CompletableFuture<Boolean> last = new CompletableFuture<>();
      Thread.startVirtualThread(() -> have(door, last));
      eventually(() -> !Baton.dump().holds().isEmpty());
      assertThat(Baton.dump().holds()).allMatch(hold -> !hold.task().isKnown() && hold.task().name().contains("future"));
      ofAFuture.close();
      assertThat(last.join()).isTrue();
    } finally {
      Baton.track(Tracking.OFF);
    }
  }

  @Test
  void futuresThatWaitForALeaseAreInTheDumpAsLongAsTheyDo() throws Exception {
    Baton.track(Tracking.ON);
    try {
      Leases leases = Leases.inMemory();
      LeaseSemaphore door = leases.semaphore("door", 1);
      Lease lease = door.acquire();
      CompletableFuture<Lease> cancelled = door.acquireAsync();
      CompletableFuture<Lease> granted = door.acquireAsync(Duration.ofHours(1));
      WaitGraph graph = Baton.dump();
      assertThat(graph.waits())
          .hasSize(2)
          .allMatch(wait -> wait.resource().name().startsWith("LeaseSemaphore"))
          .allMatch(wait -> wait.task().name().contains("future"));
      assertThat(graph.holdersOf(graph.waits().getFirst().resource())).hasSize(1);
      cancelled.cancel(true);
      assertThat(Baton.dump().waits()).hasSize(1);
      CompletableFuture<Lease> late = door.acquireAsync(Duration.ofMillis(1));
      eventually(late::isDone);
      assertThat(Baton.dump().waits()).hasSize(1);
      lease.close();
      granted.get();
      assertThat(Baton.dump().waits()).isEmpty();
      CompletableFuture<Lease> closed = door.acquireAsync();
      assertThat(Baton.dump().waits()).hasSize(1);
      leases.close();
      assertThat(closed).isCompletedExceptionally();
      assertThat(Baton.dump().waits()).isEmpty();
    } finally {
      Baton.track(Tracking.OFF);
    }
  }

  private static void have(LeaseSemaphore door, CompletableFuture<Boolean> had) {
    try (Lease own = door.acquire()) {
      had.complete(own.isValid());
    } catch (Exception e) {
      had.completeExceptionally(e);
    }
  }
}

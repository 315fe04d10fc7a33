// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.baton.channel.Channel;
import dev.baton.channel.Select;
import dev.baton.observe.WaitGraph;
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Event;
import dev.baton.sync.Mutex;
import dev.baton.sync.Promise;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A task that waits in a select waits for what its clauses name. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway") // set by JUnit
class CooperativeSelectTest {
  @Parameter Engine engine;

  private Cooperative world() {
    return Cooperative.create().engine(engine);
  }

  private WaitGraph deadlock(Cooperative.VoidProgram program) {
    return catchThrowableOfType(DeadlockException.class, () -> world().run(program)).graph();
  }

  @Test
  void oneThatNobodyCanServeIsADeadlockThatNamesWhatIsAwaited() {
    WaitGraph graph =
        deadlock(
            () -> {
              Channel<String> in = Channel.rendezvous();
              Channel<String> out = Channel.rendezvous();
              Select.of(Select.receive(in, value -> value), Select.send(out, "x", () -> "sent")).run();
            });

    assertThat(graph.waits()).extracting(wait -> wait.resource().name()).containsExactly("Channel 1", "Channel 2");
    assertThat(graph.waits()).extracting(wait -> wait.task().name()).containsOnly("main");
    assertThat(graph.toText()).contains("1 task waits:", "main waits for Channel 1 or Channel 2 at CooperativeSelectTest.java");
  }

  @Test
  void everyKindOfClauseIsNamed() {
    WaitGraph graph =
        deadlock(
            () -> {
              Mutex mutex = new Mutex();
              RwLock rw = new RwLock();
              Semaphore permits = Semaphore.of(3);
              mutex.lock();
              rw.readLock().lock();
              permits.acquire(2);
              Scope.run(
                  scope -> {
                    scope.fork(
                        () ->
                            Select.of(
                                    Select.lock(mutex, guard -> "mutex"),
                                    Select.lock(rw.writeLock(), guard -> "rw"),
                                    Select.permits(permits, 2, permit -> "permits"),
                                    Select.event(new Event(), () -> "event"),
                                    Select.done(new Promise<String>().future(), result -> "promise"))
                                .run());
                    scope.join();
                  });
            });

    assertThat(graph.waits().stream().filter(wait -> !wait.task().name().equals("main")))
        .extracting(wait -> wait.resource().name())
        .containsExactly("Mutex 1", "RwLock 1", "Semaphore 1", "Event 1", "Promise 1");
    assertThat(graph.holds().stream().filter(hold -> hold.task().name().equals("main")))
        .extracting(hold -> hold.resource().name())
        .containsExactlyInAnyOrder("Mutex 1", "RwLock 1", "Semaphore 1");
  }

  @Test
  void whatTwoClausesNameIsAwaitedOnce() {
    WaitGraph graph =
        deadlock(
            () -> {
              Semaphore permits = Semaphore.unbounded(0);
              Select.of(Select.permit(permits, permit -> 1), Select.permits(permits, 2, permit -> 2)).run();
            });

    assertThat(graph.waits()).hasSize(1);
  }

  @Test
  void timePassesWhileItWaits() throws Exception {
    Instant start = Instant.parse("2030-01-01T00:00:00Z");
    Instant end =
        world()
            .clock(Clock.virtual(start))
            .run(
                () -> {
                  Channel<Instant> never = Channel.rendezvous();
                  return Select.of(Select.receive(never, value -> value), Select.after(Duration.ofHours(1), Time::now)).run();
                });

    assertThat(end).isEqualTo(start.plus(Duration.ofHours(1)));
  }

  @Test
  void timePassesAlsoIfItWaitsForNothingElse() throws Exception {
    Instant start = Instant.parse("2030-01-01T00:00:00Z");
    assertThat(world().clock(Clock.virtual(start)).run(() -> Select.of(Select.after(Duration.ofHours(1), Time::now)).run()))
        .isEqualTo(start.plus(Duration.ofHours(1)));
  }

  @Test
  void somethingMadeOutsideMayBeServedFromThere() throws Exception {
    Channel<String> outside = Channel.rendezvous();
    BlockingQueue<Stall> stalls = new LinkedBlockingQueue<>();
    CompletableFuture<String> served = new CompletableFuture<>();
    Thread run =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    served.complete(
                        world()
                            .stallAfter(Duration.ofMillis(50))
                            .onStall(stalls::add)
                            .run(
                                () -> {
                                  Channel<String> inside = Channel.rendezvous();
                                  return Select.of(
                                          Select.receive(inside, value -> value), Select.receive(outside, value -> value))
                                      .run();
                                }));
                  } catch (Throwable failure) {
                    served.completeExceptionally(failure);
                  }
                });

    Stall stall = stalls.poll(20, TimeUnit.SECONDS);
    assertThat(stall).isNotNull();
    assertThat(stall.reason()).matches("waits for Channel \\d, which somebody outside of this run has to serve");
    outside.send("hello");
    assertThat(served.get(20, TimeUnit.SECONDS)).isEqualTo("hello");
    run.join();
  }

  @Test
  void aRingThroughASelectIsADeadlockOnlyWithoutAnotherWayOut() {
    assertThat(crossed(false).deadlocked()).hasSize(3);
    WaitGraph graph = crossed(true);
    assertThat(graph.cycles()).isNotEmpty();
    assertThat(graph.deadlocked()).isEmpty();
    assertThat(graph.toText()).contains("Cycle: 2 tasks wait for each other").contains(" or Channel 1 at ");
  }

  /** Two tasks that each wait for what the other has, one of them in a select, with another way out or without. */
  private WaitGraph crossed(boolean wayOut) {
    return deadlock(
        () -> {
          Mutex left = new Mutex();
          Mutex right = new Mutex();
          Channel<String> never = Channel.rendezvous();
          Scope.run(
              scope -> {
                scope.fork(
                    () -> {
                      left.lock();
                      Time.sleep(Duration.ofSeconds(1));
                      right.lockInterruptibly();
                    });
                scope.fork(
                    () -> {
                      right.lock();
                      Time.sleep(Duration.ofSeconds(1));
                      List<dev.baton.channel.Clause<String>> clauses = new ArrayList<>();
                      clauses.add(Select.lock(left, guard -> "left"));
                      if (wayOut) {
                        clauses.add(Select.receive(never, value -> value));
                      }
                      return Select.of(clauses).run();
                    });
                scope.join();
              });
        });
  }

  @Test
  void aSelectThatIsThrownOutLeavesNothingBehind() {
    List<Channel<String>> channels = new ArrayList<>();
    assertThatThrownBy(
            () ->
                world()
                    .run(
                        () -> {
                          channels.add(Channel.rendezvous());
                          Select.of(Select.receive(channels.getFirst(), value -> value)).run();
                        }))
        .isInstanceOf(DeadlockException.class);
    assertThat(channels.getFirst().waitingReceivers()).isZero();
  }
}

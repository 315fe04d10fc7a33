// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.channel.Select;
import dev.baton.pattern.Links.Link;
import dev.baton.sync.ClosedException;
import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Hurry;
import dev.baton.world.Worlds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Those who wait and give up, those who wait as a future or in a select, and the end of all. */
class PoolCancelTest extends InEveryWorld {
  private final Links links = new Links();

  private Pool<Link> pool(int limit) {
    return Pool.of(limit, links);
  }

  // ---- giving up ----

  @Test
  void pattern14_whoGivesUpLeavesNoReservation() throws Exception {
    Hurry.inTime(SHORT, this::someGiveUp);
  }

  private void someGiveUp(Hurry hurry) throws Exception {
    int before = links.made.get();
    // Closed for those who still wait, if it took too long.
    try (Pool<Link> pool = pool(1)) {
      Borrowed<Link> held = pool.acquire();
      Actor<Borrowed<Link>> interrupted = world().call("interrupted", pool::acquire);
      Actor<Optional<Borrowed<Link>>> late = world().call("late", () -> pool.tryAcquire(hurry.time()));
      CompletableFuture<Borrowed<Link>> cancelled = pool.acquireAsync();
      Actor<String> elsewhere =
          world()
              .call(
                  "select",
                  () -> Select.of(Select.borrow(pool, link -> "link"), Select.after(hurry.time(), () -> "time-out")).run());
      Actor<Borrowed<Link>> last = world().call("last", pool::acquire);
      assertThat(pool.waiting()).isEqualTo(5);
      hurry.done();
      interrupted.interrupt();
      assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
      assertThat(interrupted.endedInterrupted()).isFalse();
      assertThat(cancelled.cancel(false)).isTrue();
      world().pass(hurry.time());
      assertThat(late.result()).isEmpty();
      assertThat(elsewhere.result()).isEqualTo("time-out");
      assertThat(pool.waiting()).isEqualTo(1);
      Link link = held.get();
      held.close();
      assertThat(last.result().get()).isSameAs(link);
      last.result().close();
      Pool.Stats stats = pool.stats();
      assertThat(stats.idle()).isEqualTo(1);
      assertThat(stats.live()).isEqualTo(1);
      assertThat(stats.timeouts()).isEqualTo(1);
      assertThat(links.made.get()).isEqualTo(before + 1);
    }
  }

  @Test
  void pattern14_theOneWhoWaitedLongestGetsTheNext() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> held = pool.acquire();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Actor<Void>> all = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int number = i;
      all.add(
          world()
              .start(
                  "task " + i,
                  () -> {
                    Borrowed<Link> mine = pool.acquire();
                    order.add(number);
                    switch (number % 3) {
                      case 0 -> mine.close();
                      case 1 -> mine.evict();
                      default -> mine.hijack();
                    }
                  }));
    }
    held.close();
    all.forEach(Actor::result);
    // A resource, a slot of one destroyed, a slot of one taken out: each to the next in line.
    assertThat(order).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(pool.stats().live()).isZero();
  }

  @Test
  void whatMeetsAnInterruptGoesOnToTheNext() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> held = pool.acquire();
    Actor<Borrowed<Link>> first = world().call("first", pool::acquire);
    Actor<Borrowed<Link>> second = world().call("second", pool::acquire);
    held.close();
    first.interrupt();
    if (kind == Worlds.STEPPED) {
      assertThat(first.failure()).isInstanceOf(InterruptedException.class);
    } else {
      // Threads may have been faster.
      returnIfAny(first);
    }
    assertThat(second.result().get().number).isEqualTo(1);
    assertThat(pool.waiting()).isZero();
  }

  private static void returnIfAny(Actor<Borrowed<Link>> first) {
    try {
      first.result().close();
    } catch (AssertionError failed) {
      assertThat(failed).hasCauseInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void aSlotThatMeetsAnInterruptGoesOnToo() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> held = pool.acquire();
    Actor<Borrowed<Link>> first = world().call("first", pool::acquire);
    Actor<Borrowed<Link>> second = world().call("second", pool::acquire);
    held.hijack();
    first.interrupt();
    if (kind == Worlds.STEPPED) {
      assertThat(first.failure()).isInstanceOf(InterruptedException.class);
      assertThat(links.made.get()).as("made only for the second").isEqualTo(second.isDone() ? 2 : 1);
    } else {
      returnIfAny(first);
    }
    assertThat(second.result().get()).isNotNull();
    assertThat(pool.stats().live()).isEqualTo(1);
  }

  @Test
  void anInterruptedCallerTakesNothing() {
    Pool<Link> pool = pool(1);
    Actor<Borrowed<Link>> acquire =
        world()
            .call(
                "acquire",
                () -> {
                  Thread.currentThread().interrupt();
                  return pool.acquire();
                });
    assertThat(acquire.failure()).isInstanceOf(InterruptedException.class);
    assertThat(links.made.get()).isZero();
    Actor<Borrowed<Link>> timed =
        world()
            .call(
                "acquire",
                () -> {
                  Thread.currentThread().interrupt();
                  return pool.tryAcquire(LONG).orElseThrow();
                });
    assertThat(timed.failure()).isInstanceOf(InterruptedException.class);
    assertThat(pool.stats().live()).isZero();
  }

  @Test
  void anUninterruptibleWaitGoesOnAndTheInterruptStays() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> held = pool.acquire();
    Actor<Borrowed<Link>> waiting = world().call("acquire", pool::acquireUninterruptibly);
    waiting.interrupt();
    world().settle();
    assertThat(waiting.isDone()).isFalse();
    held.close();
    assertThat(waiting.result().get().number).isEqualTo(1);
    assertThat(waiting.endedInterrupted()).isTrue();
  }

  // ---- as a future ----

  @Test
  void aFutureGetsAnIdleOneAtOnceAndOthersWhenTheyAreMade() throws Exception {
    Pool<Link> pool = pool(2);
    Borrowed<Link> first = pool.acquireAsync().get();
    assertThat(first.get().number).isEqualTo(1);
    first.close();
    CompletableFuture<Borrowed<Link>> idle = pool.acquireAsync();
    assertThat(idle.isDone()).isTrue();
    Borrowed<Link> second = pool.acquireAsync(LONG).get();
    CompletableFuture<Borrowed<Link>> third = pool.acquireAsync();
    assertThat(pool.waiting()).isEqualTo(1);
    second.close();
    assertThat(third.join().get().number).isEqualTo(2);
    assertThat(pool.acquireAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    Actor<Throwable> late =
        world().call("late", () -> pool.acquireAsync(SHORT).handle((link, failure) -> failure).get());
    world().pass(SHORT);
    assertThat(late.result()).isInstanceOf(TimeoutException.class);
    assertThat(pool.waiting()).isZero();
    assertThat(pool.stats().timeouts()).isEqualTo(2);
  }

  @Test
  void whoReturnsAResourceNeedNotMakeOneForAFuture() throws Exception {
    Event made = new Event();
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              if (links.made.get() == 1) {
                made.await();
              }
              return links.call();
            });
    Borrowed<Link> first = pool.acquire();
    CompletableFuture<Borrowed<Link>> future = pool.acquireAsync();
    first.evict();
    assertThat(future.isDone()).isFalse();
    assertThat(pool.tryAcquire()).as("the slot is the future's").isEmpty();
    made.set();
    assertThat(future.get().get().number).isEqualTo(2);
  }

  @Test
  void oneMadeForAFutureThatWasCancelledMeanwhileGoesToTheNext() throws Exception {
    Event made = new Event();
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              made.await();
              return links.call();
            });
    CompletableFuture<Borrowed<Link>> future = pool.acquireAsync();
    Actor<Borrowed<Link>> next = world().call("next", pool::acquire);
    assertThat(next.isWaiting()).isTrue();
    assertThat(future.cancel(true)).isTrue();
    assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
    made.set();
    // It is made in a task of its own, which a world that is stepped by hand does not wait for.
    Eventually.holds(world(), next::isDone);
    assertThat(next.result().get().number).isEqualTo(1);
    assertThat(pool.stats().live()).isEqualTo(1);
  }

  @Test
  void aFutureGetsTheErrorOfTheFactoryAndTheNextTries() throws Exception {
    IOException broken = new IOException("broken");
    List<Link> once = new CopyOnWriteArrayList<>();
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              if (once.isEmpty()) {
                once.add(links.call());
                throw broken;
              }
              return links.call();
            });
    CompletableFuture<Borrowed<Link>> first = pool.acquireAsync();
    CompletableFuture<Borrowed<Link>> second = pool.acquireAsync();
    assertThat(second.get().get().number).isEqualTo(2);
    assertThat(first.handle((link, failure) -> failure).get())
        .isInstanceOf(CreationFailedException.class)
        .hasCause(broken);
  }

  @Test
  void aFutureOfAFactoryThatGivesUpWasNotInterruptedItself() throws Exception {
    InterruptedException givenUp = new InterruptedException("of the factory");
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              throw givenUp;
            });
    assertThat(pool.acquireAsync().handle((link, failure) -> failure).get())
        .isInstanceOf(CreationFailedException.class)
        .hasCause(givenUp);
    assertThat(pool.stats().live()).isZero();
  }

  @Test
  void aFutureGetsOnlyHealthyOnes() throws Exception {
    Pool<Link> pool = Pool.builder(1, links).healthCheck(link -> !link.broken).build();
    Borrowed<Link> first = pool.acquireAsync().get();
    first.get().broken = true;
    first.close();
    assertThat(pool.acquireAsync().get().get().number).isEqualTo(2);
  }

  // ---- in a select ----

  @Test
  void aSelectBorrowsWhatIsReadyAndTheFactoryRunsOnlyIfItIsTheOne() throws Exception {
    Pool<Link> pool = pool(1);
    Event other = new Event();
    other.set();
    String taken =
        Select.<String>of(Select.event(other, () -> "event"), Select.borrow(pool, link -> "link")).biased().run();
    assertThat(taken).isEqualTo("event");
    assertThat(links.made.get()).isZero();
    int number =
        Select.<Integer>of(
                Select.borrow(
                    pool,
                    link -> {
                      try (link) {
                        return link.get().number;
                      }
                    }))
            .run();
    assertThat(number).isEqualTo(1);
    assertThat(pool.stats().idle()).isEqualTo(1);
  }

  @Test
  void aSelectThatWaitsGetsAResourceOrMakesOne() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> held = pool.acquire();
    Event never = new Event();
    Actor<Borrowed<Link>> first =
        world().call("first", () -> Select.<Borrowed<Link>>of(Select.borrow(pool, link -> link), Select.event(never, () -> null)).run());
    Actor<Borrowed<Link>> second =
        world().call("second", () -> Select.<Borrowed<Link>>of(Select.borrow(pool, link -> link)).run());
    assertThat(pool.waiting()).isEqualTo(2);
    held.close();
    assertThat(first.result().get().number).isEqualTo(1);
    first.result().hijack();
    assertThat(second.result().get().number).isEqualTo(2);
    assertThat(never.waiting()).isZero();
  }

  @Test
  void aSelectGetsTheErrorOfTheFactoryAndHoldsNothing() {
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              throw new IOException("broken");
            });
    Event never = new Event();
    assertThatThrownBy(
            () -> Select.<String>of(Select.borrow(pool, link -> "link"), Select.event(never, () -> "event")).run())
        .isInstanceOf(CreationFailedException.class);
    assertThat(pool.stats().live()).isZero();
    assertThat(never.waiting()).isZero();
  }

  @Test
  void aClosedPoolEndsASelectThatHasNothingElse() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> held = pool.acquire();
    Event never = new Event();
    Actor<String> waiting =
        world()
            .call("select", () -> Select.<String>of(Select.borrow(pool, link -> "link"), Select.event(never, () -> "event")).run());
    pool.close();
    assertThat(waiting.failure()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Select.<String>of(Select.borrow(pool, link -> "link")).run()).isInstanceOf(ClosedException.class);
    assertThat(Select.<String>of(Select.borrow(pool, link -> "link"), Select.otherwise(() -> "otherwise")).run())
        .isEqualTo("otherwise");
    held.close();
    assertThat(pool.stats().live()).isZero();
  }

  // ---- the end ----

  @Test
  void pattern13_afterTheEndWhatIsReturnedIsDestroyed() throws Exception {
    Pool<Link> pool = pool(3);
    Borrowed<Link> first = pool.acquire();
    Borrowed<Link> second = pool.acquire();
    Borrowed<Link> third = pool.acquire();
    Actor<Borrowed<Link>> waiting = world().call("acquire", pool::acquire);
    Actor<Borrowed<Link>> stubborn = world().call("acquire", pool::acquireUninterruptibly);
    Actor<Optional<Borrowed<Link>>> timed = world().call("acquire", () -> pool.tryAcquire(LONG));
    CompletableFuture<Borrowed<Link>> future = pool.acquireAsync();
    pool.close();
    assertThat(waiting.failure()).isInstanceOf(ClosedException.class).hasMessageStartingWith("The pool is closed");
    assertThat(stubborn.failure()).isInstanceOf(ClosedException.class);
    assertThat(timed.failure()).isInstanceOf(ClosedException.class);
    assertThat(future.exceptionNow()).isInstanceOf(ClosedException.class);
    assertThat(links.closed).isEmpty();
    first.get().use();
    first.close();
    assertThat(links.closed).hasSize(1);
    pool.release(second);
    Link mine = third.hijack();
    assertThat(links.closed).hasSize(2).doesNotContain(mine);
    assertThat(pool.stats().live()).isZero();
    assertThat(pool.waiting()).isZero();
    assertThatThrownBy(pool::acquire).isInstanceOf(ClosedException.class);
    assertThatThrownBy(pool::tryAcquire).isInstanceOf(ClosedException.class);
    assertThatThrownBy(pool::acquireUninterruptibly).isInstanceOf(ClosedException.class);
    assertThat(pool.acquireAsync().exceptionNow()).isInstanceOf(ClosedException.class);
    assertThat(pool.acquireAsync(Duration.ZERO).exceptionNow()).isInstanceOf(ClosedException.class);
    pool.close();
    assertThat(pool.isClosed()).isTrue();
    assertThat(pool.stats().closed()).isTrue();
  }

  @Test
  void idleOnesAreDestroyedByTheEndAndTheirTimerWithThem() throws Exception {
    Pool<Link> pool = Pool.builder(3, links).maxIdle(LONG).build();
    List<Borrowed<Link>> all = List.of(pool.acquire(), pool.acquire(), pool.acquire());
    all.get(0).close();
    all.get(1).close();
    pool.close();
    assertThat(links.closed).hasSize(2);
    world().pass(SHORT);
    all.get(2).close();
    assertThat(links.live.get()).isZero();
    Pool.Stats stats = pool.stats();
    assertThat(stats.destroyed()).isEqualTo(3);
    assertThat(stats.expired()).isZero();
    assertThat(stats.live()).isZero();
  }

  @Test
  void whileTheEndDestroysIdleOnesThoseThatAreBorrowedCountAsSuch() throws Exception {
    List<Pool.Stats> seen = new CopyOnWriteArrayList<>();
    AtomicReference<Pool<Link>> itself = new AtomicReference<>();
    Pool<Link> pool = Pool.builder(3, links).destroyer(link -> seen.add(itself.get().stats())).build();
    itself.set(pool);
    Borrowed<Link> mine = pool.acquire();
    Borrowed<Link> other = pool.acquire();
    pool.acquire().close();
    other.close();
    pool.close();
    assertThat(seen).extracting(Pool.Stats::live).containsExactly(3, 2);
    assertThat(seen).extracting(Pool.Stats::borrowed).containsExactly(1, 1);
    assertThat(seen).extracting(Pool.Stats::idle).containsExactly(1, 0);
    assertThat(seen).extracting(Pool.Stats::inTransit).containsExactly(1, 1);
    mine.close();
    assertThat(pool.stats().live()).isZero();
  }

  @Test
  void aDestroyerThatThrowsLosesNoSlotAndNoError() throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    IOException broken = new IOException("broken pipe");
    Pool<Link> pool =
        Pool.builder(1, links)
            .destroyer(
                link -> {
                  throw broken;
                })
            .healthCheck(link -> !link.broken)
            .onFailure(
                failure -> {
                  failures.add(failure);
                })
            .build();
    Borrowed<Link> first = pool.acquire();
    Actor<Borrowed<Link>> waiting = world().call("acquire", pool::acquire);
    first.evict();
    Borrowed<Link> second = waiting.result();
    second.get().broken = true;
    second.close();
    Borrowed<Link> third = pool.acquire();
    assertThat(third.get().number).isEqualTo(3);
    pool.close();
    third.close();
    assertThat(failures).containsExactly(broken, broken, broken);
    assertThat(pool.stats().live()).isZero();
    assertThat(pool.stats().destroyed()).isEqualTo(3);
  }

  @Test
  void oneThatIsBeingMadeWhenTheEndComesIsGood() throws Exception {
    Event made = new Event();
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              made.await();
              return links.call();
            });
    Actor<Borrowed<Link>> making = world().call("make", pool::acquire);
    pool.close();
    made.set();
    Borrowed<Link> good = making.result();
    good.get().use();
    good.close();
    assertThat(links.closed).hasSize(1);
    assertThat(pool.stats().live()).isZero();
  }

  @Test
  void amongManyWhoGiveUpNothingIsStranded() {
    int rounds = kind == Worlds.STEPPED ? 10 : 200;
    Pool<Link> pool = Pool.builder(2, links).healthCheck(link -> link.number % 5 != 0).build();
    int[] seeds = {0};
    together(
        6,
        () -> {
          int seed;
          synchronized (seeds) {
            seed = seeds[0]++;
          }
          Random random = new Random(seed);
          for (int i = 0; i < rounds; i++) {
            Optional<Borrowed<Link>> mine =
                switch (random.nextInt(4)) {
                  case 0 -> pool.tryAcquire();
                  case 1 -> pool.tryAcquire(Duration.ofNanos(random.nextInt(3)));
                  case 2 -> {
                    CompletableFuture<Borrowed<Link>> future = pool.acquireAsync();
                    yield future.cancel(false) ? Optional.empty() : Optional.of(future.join());
                  }
                  default -> Optional.of(pool.acquire());
                };
            mine.ifPresent(
                link -> {
                  link.get().use();
                  switch (random.nextInt(6)) {
                    case 0 -> link.evict();
                    case 1 -> link.hijack().close();
                    default -> link.close();
                  }
                });
          }
        });
    Eventually.holds(world(), () -> pool.stats().borrowed() + pool.stats().inTransit() == 0);
    assertThat(links.mostLive.get()).isLessThanOrEqualTo(2 + 6); // those taken out are closed a moment later
    Pool.Stats stats = pool.stats();
    assertThat(stats.waiting()).isZero();
    assertThat(stats.live()).isEqualTo(stats.idle());
    assertThat(stats.created()).isEqualTo(stats.idle() + stats.destroyed() + stats.hijacked());
    pool.close();
    assertThat(links.live.get()).isZero();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.pattern.Links.Link;
import dev.baton.scope.Time;
import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Worlds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Lending and taking back: the limit, the idle ones, the factory, the health check. */
class PoolTest extends InEveryWorld {
  private final Links links = new Links();

  private Pool<Link> pool(int limit) {
    return Pool.of(limit, links);
  }

  // ---- the limit ----

  @Test
  void pattern11_neverMoreThanTheLimitAreLiveHoweverManyWantOne() {
    Pool<Link> pool = pool(8);
    int tasks = kind == Worlds.STEPPED ? 24 : 1_000;
    together(
        tasks,
        () -> {
          for (int i = 0; i < 3; i++) {
            try (Borrowed<Link> link = pool.acquire()) {
              link.get().begin();
              Pool.Stats stats = pool.stats();
              assertThat(stats.live()).isBetween(1, 8);
              assertThat(stats.idle() + stats.borrowed() + stats.inTransit()).isEqualTo(stats.live());
              link.get().end();
            }
          }
        });
    assertThat(links.mostLive.get()).isBetween(1, 8);
    // None was ever destroyed, so more were never made.
    Pool.Stats stats = pool.stats();
    assertThat(stats.created()).isEqualTo(links.made.get()).isLessThanOrEqualTo(8);
    assertThat(stats.idle()).isEqualTo(links.made.get());
    assertThat(stats.borrowed() + stats.waiting() + stats.inTransit()).isZero();
    assertThat(stats.destroyed()).isZero();
  }

  @Test
  void pattern11_anIdleOneIsUsedBeforeANewOneIsMade() throws Exception {
    Pool<Link> pool = pool(8);
    for (int i = 0; i < 20; i++) {
      try (Borrowed<Link> link = pool.acquire()) {
        assertThat(link.get().number).isEqualTo(1);
      }
    }
    Borrowed<Link> first = pool.acquire();
    Borrowed<Link> second = pool.acquire();
    assertThat(second.get().number).isEqualTo(2);
    first.close();
    assertThat(pool.acquire().get().number).isEqualTo(1);
    assertThat(links.made.get()).isEqualTo(2);
  }

  @Test
  void theOneReturnedLastIsLentFirst() throws Exception {
    Pool<Link> pool = pool(3);
    List<Borrowed<Link>> all = List.of(pool.acquire(), pool.acquire(), pool.acquire());
    all.get(1).close();
    all.get(2).close();
    all.get(0).close();
    assertThat(List.of(pool.acquire().get().number, pool.acquire().get().number, pool.acquire().get().number))
        .containsExactly(1, 3, 2);
  }

  @Test
  void whatIsReturnedGoesStraightToTheOneWhoWaits() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> first = pool.acquire();
    Actor<Borrowed<Link>> waiting = world().call("acquire", pool::acquire);
    assertThat(waiting.isWaiting()).isTrue();
    assertThat(pool.waiting()).isEqualTo(1);
    Link link = first.get();
    first.close();
    assertThat(waiting.result().get()).isSameAs(link);
    assertThat(pool.tryAcquire()).isEmpty();
    assertThat(pool.stats().waiting()).isZero();
  }

  @Test
  void tryAcquireNeverWaitsAndTellsWhenItIsTooMuch() throws Exception {
    Pool<Link> pool = pool(2);
    Borrowed<Link> first = pool.tryAcquire().orElseThrow();
    Borrowed<Link> second = pool.tryAcquire(Duration.ZERO).orElseThrow();
    assertThat(pool.tryAcquire()).isEmpty();
    assertThat(pool.tryAcquire(Duration.ZERO)).isEmpty();
    assertThat(pool.tryAcquire(Duration.ofSeconds(-1))).isEmpty();
    second.close();
    assertThat(pool.tryAcquire().orElseThrow().get().number).isEqualTo(2);
    first.close();
  }

  // ---- the factory ----

  @Test
  void pattern12_whileOneIsMadeOthersComeAndGo() throws Exception {
    Event made = new Event();
    Pool<Link> pool =
        Pool.of(
            3,
            () -> {
              if (links.made.get() == 1) {
                made.await();
              }
              return links.call();
            });
    Borrowed<Link> first = pool.acquire();
    Actor<Borrowed<Link>> making = world().call("make", pool::acquire);
    assertThat(making.isWaiting()).isTrue();
    assertThat(pool.stats().inTransit()).isEqualTo(1);
    // Nothing is locked meanwhile: the other one goes from hand to hand.
    Link link = first.get();
    first.close();
    for (int i = 0; i < 3; i++) {
      try (Borrowed<Link> again = pool.tryAcquire().orElseThrow()) {
        assertThat(again.get()).isSameAs(link);
      }
    }
    assertThat(pool.stats().live()).isEqualTo(2);
    made.set();
    assertThat(making.result().get().number).isEqualTo(2);
  }

  @Test
  void pattern12_ifTheFactoryThrowsTheSlotComesBackAndTheNextTries() throws Exception {
    Event tried = new Event();
    AtomicInteger attempts = new AtomicInteger();
    IOException checked = new IOException("no route");
    IllegalStateException unchecked = new IllegalStateException("no idea");
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              int attempt = attempts.incrementAndGet();
              if (attempt == 1) {
                tried.await();
                throw checked;
              }
              if (attempt == 2) {
                throw unchecked;
              }
              return links.call();
            });
    Actor<Borrowed<Link>> first = world().call("first", pool::acquire);
    Actor<Borrowed<Link>> second = world().call("second", pool::acquire);
    Actor<Borrowed<Link>> third = world().call("third", pool::acquire);
    tried.set();
    assertThat(first.failure()).isInstanceOf(CreationFailedException.class).hasCause(checked);
    assertThat(second.failure()).isSameAs(unchecked);
    assertThat(third.result().get().number).isEqualTo(1);
    Pool.Stats stats = pool.stats();
    assertThat(stats.creationFailures()).isEqualTo(2);
    assertThat(stats.created()).isEqualTo(1);
    assertThat(stats.live()).isEqualTo(1);
    third.result().close();
    assertThat(pool.stats().idle()).isEqualTo(1);
  }

  @Test
  void aFactoryThatFailsWithAnErrorThatCannotBeShownHasFailedAllTheSame() {
    @SuppressWarnings({"serial", "OverrideThrowableToString"}) // it is what fails here
    class Unspeakable extends InterruptedException {
      @Override
      public String toString() {
        throw new IllegalStateException("a message");
      }
    }
    Pool<Link> pool =
        Pool.of(
            1,
            () -> {
              throw new Unspeakable();
            });
    Actor<Borrowed<Link>> direct = world().call("direct", pool::acquireUninterruptibly);
    assertThat(direct.failure()).isInstanceOf(CreationFailedException.class).hasCauseInstanceOf(Unspeakable.class);
    Actor<Borrowed<Link>> future = world().call("future", () -> pool.acquireAsync().join());
    assertThat(future.failure())
        .hasCauseInstanceOf(CreationFailedException.class)
        .hasRootCauseInstanceOf(Unspeakable.class);
    assertThat(pool.stats().live()).isZero();
  }

  @Test
  @SuppressWarnings("NullAway") // one of the things that it does
  void whateverTheFactoryDoesWrongLosesNoSlot() throws Exception {
    List<Callable<Link>> wrongs =
        List.of(
            () -> null,
            () -> {
              throw new Exception("checked");
            },
            () -> {
              throw new AssertionError("an error");
            },
            () -> {
              throw new InterruptedException("of the factory");
            });
    List<Class<?>> expected =
        List.of(NullPointerException.class, CreationFailedException.class, AssertionError.class, InterruptedException.class);
    for (int i = 0; i < wrongs.size(); i++) {
      AtomicInteger calls = new AtomicInteger();
      Callable<Link> wrong = wrongs.get(i);
      Pool<Link> pool = Pool.of(1, () -> calls.incrementAndGet() <= 3 ? wrong.call() : links.call());
      assertThatThrownBy(pool::acquire).isInstanceOf(expected.get(i));
      assertThatThrownBy(() -> pool.tryAcquire(LONG)).isInstanceOf(expected.get(i));
      assertThatThrownBy(pool::tryAcquire)
          .isInstanceOf(i == 3 ? CreationFailedException.class : expected.get(i));
      assertThat(Thread.interrupted()).isEqualTo(i == 3);
      assertThat(pool.stats().live()).isZero();
      assertThat(pool.stats().creationFailures()).isEqualTo(3);
      assertThat(pool.acquireUninterruptibly().get()).isNotNull();
    }
  }

  @Test
  void theFactoryMayUseThePool() throws Exception {
    List<Pool<Link>> itself = new ArrayList<>();
    Pool<Link> pool =
        Pool.of(
            2,
            () -> {
              if (links.made.get() == 0) {
                links.call();
                itself.getFirst().acquire().close();
              }
              return links.call();
            });
    itself.add(pool);
    try (Borrowed<Link> link = pool.acquire()) {
      assertThat(link.get().number).isEqualTo(3);
    }
    assertThat(pool.stats().idle()).isEqualTo(2);
  }

  // ---- out of the pool ----

  @Test
  void pattern13_aHijackedOneFreesItsSlotAndLives() throws Exception {
    Pool<Link> pool = pool(1);
    Borrowed<Link> mine = pool.acquire();
    Actor<Borrowed<Link>> waiting = world().call("acquire", pool::acquire);
    Link link = mine.hijack();
    assertThat(waiting.result().get()).isNotSameAs(link);
    assertThat(links.closed).isEmpty();
    assertThat(mine.isOpen()).isFalse();
    mine.close();
    assertThatThrownBy(mine::hijack).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mine::get).isInstanceOf(IllegalStateException.class);
    Pool.Stats stats = pool.stats();
    assertThat(stats.hijacked()).isEqualTo(1);
    assertThat(stats.live()).isEqualTo(1);
    assertThat(stats.destroyed()).isZero();
    link.use();
  }

  @Test
  void pattern13_anEvictedOneIsDestroyedAndThenItsSlotIsFree() throws Exception {
    Event destroyed = new Event();
    Pool<Link> pool =
        Pool.builder(1, links)
            .destroyer(
                link -> {
                  destroyed.await();
                  link.close();
                })
            .build();
    Borrowed<Link> mine = pool.acquire();
    Actor<Borrowed<Link>> waiting = world().call("acquire", pool::acquire);
    Actor<Void> evicting = world().start("evict", mine::evict);
    // Two would exist if the slot were free already.
    assertThat(waiting.isWaiting()).isTrue();
    assertThat(pool.stats().inTransit()).isEqualTo(1);
    destroyed.set();
    evicting.result();
    assertThat(waiting.result().get().number).isEqualTo(2);
    assertThat(links.closed).extracting(link -> link.number).containsExactly(1);
    assertThat(links.mostLive.get()).isEqualTo(1);
    mine.close();
    assertThatThrownBy(mine::evict).isInstanceOf(IllegalStateException.class);
    assertThat(pool.stats().evicted()).isEqualTo(1);
    assertThat(pool.stats().destroyed()).isEqualTo(1);
  }

  @Test
  void idleOnesCanBeEvictedTogether() throws Exception {
    Pool<Link> pool = pool(3);
    List<Borrowed<Link>> all = List.of(pool.acquire(), pool.acquire(), pool.acquire());
    all.get(0).close();
    all.get(1).close();
    assertThat(pool.evictIdle()).isEqualTo(2);
    assertThat(pool.evictIdle()).isZero();
    assertThat(links.closed).extracting(link -> link.number).containsExactlyInAnyOrder(1, 2);
    assertThat(pool.stats().live()).isEqualTo(1);
    assertThat(pool.acquire().get().number).isEqualTo(4);
  }

  // ---- health ----

  @Test
  void pattern15_oneThatIsNotHealthyIsReplacedAndNeverSeen() throws Exception {
    List<Integer> checked = new CopyOnWriteArrayList<>();
    Pool<Link> pool =
        Pool.builder(3, links)
            .healthCheck(
                link -> {
                  checked.add(link.number);
                  return !link.broken;
                })
            .build();
    List<Borrowed<Link>> all = List.of(pool.acquire(), pool.acquire(), pool.acquire());
    assertThat(checked).as("a new one is healthy").isEmpty();
    all.get(2).get().broken = true;
    all.get(1).get().broken = true;
    all.forEach(Borrowed::close);
    // 3 and 2 are broken, 1 is not: it is used before a new one is made.
    Borrowed<Link> healthy = pool.acquire();
    assertThat(healthy.get().number).isEqualTo(1);
    assertThat(checked).containsExactly(3, 2, 1);
    assertThat(links.closed).extracting(link -> link.number).containsExactly(3, 2);
    healthy.get().broken = true;
    healthy.close();
    assertThat(pool.acquire().get().number).isEqualTo(4);
    Pool.Stats stats = pool.stats();
    assertThat(stats.unhealthy()).isEqualTo(3);
    assertThat(stats.destroyed()).isEqualTo(3);
    assertThat(stats.live()).isEqualTo(1);
    assertThat(stats.borrowed()).isEqualTo(1);
  }

  @Test
  void pattern15_alsoOneThatWasHandedToTheOneWhoWaitedIsLookedAt() throws Exception {
    Pool<Link> pool = Pool.builder(1, links).healthCheck(link -> !link.broken).build();
    Borrowed<Link> first = pool.acquire();
    Actor<Borrowed<Link>> waiting = world().call("acquire", pool::acquire);
    first.get().broken = true;
    first.close();
    assertThat(waiting.result().get().number).isEqualTo(2);
    assertThat(links.mostLive.get()).isEqualTo(1);
  }

  @Test
  void aCheckRunsOutsideAnyLockAndOneThatThrowsMeansBroken() throws Exception {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    List<Pool<Link>> itself = new ArrayList<>();
    AtomicInteger checks = new AtomicInteger();
    IOException broken = new IOException("broken pipe");
    Pool<Link> pool =
        Pool.builder(2, links)
            .healthCheck(
                link -> {
                  if (checks.incrementAndGet() == 1) {
                    itself.getFirst().acquire().close();
                  }
                  throw broken;
                })
            .onFailure(failures::add)
            .build();
    itself.add(pool);
    pool.acquire().close();
    // The check itself borrows: a second one is made and becomes idle, so that is looked at in turn, and replaced too.
    assertThat(pool.acquire().get().number).isEqualTo(3);
    assertThat(failures).containsExactly(broken, broken);
    assertThat(pool.stats().unhealthy()).isEqualTo(2);
    assertThat(links.mostLive.get()).isEqualTo(2);
  }

  @Test
  void aCheckThatIsInterruptedSaysNothingAboutTheResource() throws Exception {
    AtomicInteger checks = new AtomicInteger();
    Pool<Link> pool =
        Pool.builder(1, links)
            .healthCheck(
                link -> {
                  if (checks.incrementAndGet() == 1) {
                    throw new InterruptedException("meanwhile");
                  }
                  return true;
                })
            .build();
    pool.acquire().close();
    assertThatThrownBy(pool::acquire).isInstanceOf(InterruptedException.class);
    assertThat(pool.stats().idle()).isEqualTo(1);
    assertThat(pool.acquire().get().number).isEqualTo(1);
  }

  // ---- age ----

  @Test
  void whatIsIdleTooLongIsDestroyed() {
    Duration maxIdle = SHORT.multipliedBy(2);
    Pool<Link> pool = Pool.builder(3, links).maxIdle(maxIdle).build();
    world()
        .start(
            "use",
            () -> {
              List<Borrowed<Link>> all = List.of(pool.acquire(), pool.acquire(), pool.acquire());
              all.get(0).close();
              all.get(1).close();
              Time.sleep(SHORT);
              all.get(2).close();
            });
    if (kind == Worlds.STEPPED) {
      world().pass(SHORT);
      world().pass(SHORT.minusNanos(1));
      assertThat(pool.stats().idle()).isEqualTo(3);
      world().pass(Duration.ofNanos(1));
      assertThat(links.closed).extracting(link -> link.number).containsExactly(1, 2);
      world().pass(SHORT);
    }
    Eventually.holds(world(), () -> pool.stats().expired() == 3);
    assertThat(pool.stats().live()).isZero();
    assertThat(links.live.get()).isZero();
    // The slots are free, and the timer works again.
    world().start("use", () -> pool.acquire().close()).result();
    world().pass(maxIdle);
    Eventually.holds(world(), () -> pool.stats().expired() == 4);
  }

  @Test
  void oneThatIsUsedMeanwhileStaysYoung() {
    Pool<Link> pool = Pool.builder(1, links).maxIdle(LONG).build();
    if (kind == Worlds.STEPPED) {
      Actor<Void> use =
          world()
              .start(
                  "use",
                  () -> {
                    for (int i = 0; i < 10; i++) {
                      pool.acquire().close();
                      Time.sleep(LONG.dividedBy(2));
                    }
                  });
      for (int i = 0; i < 10; i++) {
        world().pass(LONG.dividedBy(2));
      }
      use.result();
      assertThat(links.made.get()).isEqualTo(1);
      world().pass(LONG);
      assertThat(pool.stats().expired()).isEqualTo(1);
    }
  }

  // ---- with a body ----

  @Test
  void aBodyGetsTheResourceAndItGoesBackHoweverItEnds() throws Exception {
    Pool<Link> pool = pool(1);
    int number = pool.withResource(link -> link.number);
    assertThat(number).isEqualTo(1);
    pool.useResource(Link::use);
    assertThatThrownBy(
            () ->
                pool.useResource(
                    link -> {
                      throw new IOException("of the body");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(pool.stats().idle()).isEqualTo(1);
  }

  // ---- mistakes ----

  @Test
  @SuppressWarnings("NullAway") // what is refused here
  void mistakesAreToldAndChangeNothing() throws Exception {
    assertThatThrownBy(() -> Pool.of(0, links))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A pool has at least 1 resource, not 0.");
    assertThatThrownBy(() -> Pool.builder(-3, links)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Pool.of(1, null)).isInstanceOf(NullPointerException.class);
    Pool.Builder<Link> builder = Pool.builder(1, links);
    assertThatThrownBy(() -> builder.destroyer(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.healthCheck(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.onFailure(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> builder.maxIdle(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.maxIdle(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class);
    Pool<Link> pool = builder.build();
    Pool<Link> other = pool(1);
    Borrowed<Link> mine = pool.acquire();
    assertThatThrownBy(() -> other.release(mine))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("borrowed from Pool@");
    assertThatThrownBy(() -> other.evict(mine)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> other.hijack(mine)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> pool.release(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> pool.tryAcquire(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> pool.withResource(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> pool.useResource(null)).isInstanceOf(NullPointerException.class);
    assertThat(mine.isOpen()).isTrue();
    pool.release(mine);
    assertThatThrownBy(() -> pool.release(mine))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Cannot release a resource that was given back");
    mine.close();
    assertThatThrownBy(mine::get).isInstanceOf(IllegalStateException.class).hasMessageStartingWith("Cannot use");
    // What was returned twice is there once.
    Borrowed<Link> again = pool.acquire();
    mine.close();
    assertThatThrownBy(() -> pool.release(mine)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mine::evict).isInstanceOf(IllegalStateException.class);
    assertThat(again.isOpen()).isTrue();
    assertThat(pool.tryAcquire()).isEmpty();
    assertThat(pool.stats().idle()).isZero();
    assertThat(other.stats().live()).isZero();
  }

  @Test
  void ofManyWhoReturnTheSameOneOneDoes() {
    Pool<Link> pool = pool(2);
    Borrowed<Link> mine = pool.acquireUninterruptibly();
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger tasks = new AtomicInteger();
    together(
        6,
        () -> {
          try {
            switch (tasks.incrementAndGet() % 3) {
              case 0 -> pool.release(mine);
              case 1 -> mine.evict();
              default -> mine.hijack();
            }
            done.add("done");
          } catch (IllegalStateException tooLate) {
            // another was first
          }
        });
    assertThat(done).hasSize(1);
    Pool.Stats stats = pool.stats();
    assertThat(stats.idle() + stats.evicted() + stats.hijacked()).isEqualTo(1);
    assertThat(stats.live()).isEqualTo(stats.idle());
  }

  @Test
  void tellsWhatItIs() throws Exception {
    Pool<Link> pool = pool(2);
    Borrowed<Link> mine = pool.acquire();
    assertThat(pool.toString()).matches("Pool@[0-9a-f]+\\[1 of 2 live]");
    assertThat(mine.toString()).matches("Borrowed\\[link 1 of Pool@.*]");
    mine.close();
    pool.close();
    assertThat(mine).hasToString("Borrowed[ended]");
    assertThat(pool.toString()).matches("Pool@[0-9a-f]+\\[0 of 2 live, closed]");
    assertThat(pool.limit()).isEqualTo(2);
  }
}

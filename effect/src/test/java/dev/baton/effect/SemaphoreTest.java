// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.release;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tryAcquire;
import static dev.baton.effect.Effects.withPermit;
import static dev.baton.effect.Effects.withPermits;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.check.Kind;
import dev.baton.check.Report;
import dev.baton.runtime.Clock;
import dev.baton.runtime.DeadlockException;
import dev.baton.scope.Task;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Semaphores as effects: the ordinary ones. */
class SemaphoreTest extends OnBothEngines {

  record Fetch(int n) implements Effect<Integer> {}

  @Test
  void case70_createAcquireRelease() throws Exception {
    assertThat(this.<Long>value(() -> {
          Semaphore one = semaphore(1);
          acquire(one);
          release(one);
          return one.available();
        }))
        .isEqualTo(1);
    for (int wrong : new int[] {0, -1}) {
      assertThat(error(() -> semaphore(wrong))).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("" + wrong);
    }
  }

  @Test
  void case71_aWaiterEntersOnlyAfterTheRelease() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          Semaphore one = semaphore(1);
          acquire(one);
          Task<Boolean> waiter = spawn(() -> { acquire(one); return order.add("waiter"); });
          letOthersRun();
          order.add("release");
          release(one);
          return join(waiter);
        });
    assertThat(order).containsExactly("release", "waiter");
  }

  @Test
  void case72_theQueueIsServedInOrder() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          Semaphore one = semaphore(1);
          acquire(one);
          List<Task<Object>> tasks = new ArrayList<>();
          for (String name : List.of("first", "second", "third")) {
            tasks.add(spawn(() -> { acquire(one); order.add(name); release(one); return null; }));
            yieldNow();
          }
          release(one);
          return gather(tasks);
        });
    assertThat(order).containsExactly("first", "second", "third");
  }

  @Test
  void case74_neverMoreInsideThanPermits() throws Exception {
    for (int workers : new int[] {6, 10}) {
      int[] inside = new int[1];
      int[] most = new int[1];
      List<Integer> values =
          value(
              () -> {
                Semaphore three = semaphore(3);
                List<Task<Integer>> tasks = new ArrayList<>();
                for (int i = 0; i < workers; i++) {
                  int n = i;
                  tasks.add(
                      spawn(
                          () ->
                              withPermit(
                                  three,
                                  () -> {
                                    most[0] = Math.max(most[0], ++inside[0]);
                                    sleep(Duration.ofSeconds(1));
                                    inside[0]--;
                                    return n;
                                  })));
                }
                return gather(tasks);
              });
      assertThat(values).hasSize(workers).isSorted();
      assertThat(most[0]).isEqualTo(3);
    }
  }

  @Test
  void case75_aReleaseTooManyIsRefused() throws Exception {
    value(
        () -> {
          Semaphore two = semaphore(2);
          assertThatThrownBy(() -> release(two)).isInstanceOf(IllegalStateException.class);
          acquire(two);
          release(two);
          assertThatThrownBy(() -> release(two)).isInstanceOf(IllegalStateException.class);
          assertThat(two.available()).isEqualTo(2);
          return null;
        });
  }

  @Test
  void case76_aPermitComesBackWhenItsWorkerFails() throws Exception {
    value(
        () -> {
          Semaphore one = semaphore(1);
          Task<Object> failing =
              spawn(
                  () -> {
                    acquire(one);
                    try {
                      throw new IllegalStateException("inside");
                    } finally {
                      release(one);
                    }
                  });
          assertThatThrownBy(() -> join(failing)).hasMessage("inside");
          assertThat(one.available()).isEqualTo(1);
          return null;
        });
  }

  @Test
  void case76_allFinishUnderEveryStackOfHandlers() throws Exception {
    Map<Integer, Integer> cache = new HashMap<>();
    Handlers plain = Handlers.of(Fetch.class, fetch -> await(() -> fetch.n() * 2));
    Handlers observer = Handlers.observing(effect -> {});
    Handlers passing = Handlers.<Integer, Fetch, Object>resuming(Fetch.class, (fetch, resumption) -> resumption.pass());
    Handlers caching =
        Handlers.of(
            Fetch.class,
            fetch -> {
              Integer known = cache.get(fetch.n());
              int value = known == null ? Effects.perform(fetch) : known;
              cache.put(fetch.n(), value);
              return value;
            });
    for (Handlers stack :
        List.of(plain, plain.with(observer), plain.with(passing), plain.with(caching), plain.with(caching).with(passing).with(observer))) {
      List<Integer> values =
          runner()
              .clock(Clock.real())
              .<List<Integer>>run(
                  () ->
                      handle(
                          stack,
                          () -> {
                            Semaphore five = semaphore(5);
                            List<Task<Integer>> tasks = new ArrayList<>();
                            for (int i = 0; i < 20; i++) {
                              int n = i;
                              tasks.add(spawn(() -> withPermit(five, () -> Effects.perform(new Fetch(n)))));
                            }
                            return gather(tasks);
                          }))
              .orThrow();
      assertThat(values).hasSize(20).isSorted().last().isEqualTo(38);
    }
  }

  @Test
  void case78_aDeadlockNamesTheSemaphoreAndAllWhoWait() {
    Throwable error =
        error(
            () -> {
              Semaphore one = semaphore(1);
              spawn("left", () -> { acquire(one); return null; });
              spawn("right", () -> { acquire(one); return null; });
              acquire(one);
              acquire(one);
              return null;
            });
    assertThat(error)
        .isInstanceOf(DeadlockException.class)
        .hasMessageContaining("Semaphore 1")
        .hasMessageContaining("main")
        .hasMessageContaining("left")
        .hasMessageContaining("right")
        .hasMessageContaining("SemaphoreTest.java:");
  }

  @Test
  void case79_aHolderThatWaitsForTheWorldIsNoDeadlock() throws Exception {
    assertThat(this.<List<String>>value(() -> {
          Semaphore one = semaphore(1);
          ExternalPromise<String> event = externalPromise();
          Task<String> holder = spawn(() -> withPermit(one, () -> join(event.future())));
          Task<String> waiter = spawn(() -> withPermit(one, () -> "waiter"));
          Thread.ofVirtual().start(() -> event.complete("event"));
          return gather(holder, waiter);
        }))
        .containsExactly("event", "waiter");
  }

  @Test
  void case81_aReleaserThatCanRunIsNoDeadlock() throws Exception {
    assertThat(this.<String>value(() -> {
          Semaphore one = semaphore(1);
          acquire(one);
          spawn(
              () -> {
                for (int i = 0; i < 100; i++) {
                  yieldNow();
                }
                sleep(Duration.ofHours(1));
                release(one);
                return null;
              },
              dev.baton.runtime.Priority.IDLE);
          acquire(one);
          return "released";
        }))
        .isEqualTo("released");
  }

  @Test
  void case82_twoReferencesAreOneSemaphore() throws Exception {
    value(
        () -> {
          Semaphore one = semaphore(1);
          Semaphore[] other = {one};
          acquire(one);
          assertThat(tryAcquire(other[0])).isFalse();
          other[0] = null;
          release(one);
          assertThat(one.available()).isEqualTo(1);
          return null;
        });
  }

  @Test
  void case83_tryTimedAndMany() throws Exception {
    value(
        () -> {
          Semaphore three = semaphore(3);
          assertThat(tryAcquire(three, 2)).isTrue();
          assertThat(tryAcquire(three, 2)).isFalse();
          assertThat(tryAcquire(three)).isTrue();
          Instant start = Effects.now();
          assertThat(tryAcquire(three, Duration.ofSeconds(5))).isFalse();
          assertThat(Duration.between(start, Effects.now())).isEqualTo(Duration.ofSeconds(5));
          Task<Boolean> timed = spawn(() -> tryAcquire(three, 2, Duration.ofMinutes(1)));
          yieldNow();
          release(three, 2);
          assertThat(join(timed)).isTrue();
          release(three, 3);
          assertThat(three.available()).isEqualTo(3);
          return null;
        });
  }

  @Test
  void case83_aBigRequestIsNotOvertaken() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () -> {
          Semaphore three = semaphore(3);
          acquire(three, 2);
          Task<Object> big = spawn(() -> { acquire(three, 3); order.add("big"); release(three, 3); return null; });
          Task<Object> small = spawn(() -> { acquire(three); order.add("small"); release(three); return null; });
          yieldNow();
          yieldNow();
          release(three, 2);
          return gather(big, small);
        });
    assertThat(order).containsExactly("big", "small");
  }

  @Test
  void case83_withPermitGivesBackOnReturnThrowAndCancel() throws Exception {
    value(
        () -> {
          Semaphore two = semaphore(2);
          assertThat(withPermits(two, 2, () -> two.available())).isZero();
          assertThatThrownBy(() -> withPermit(two, () -> { throw new IllegalStateException("thrown"); })).hasMessage("thrown");
          Task<Object> cancelled = spawn(() -> withPermit(two, () -> { sleep(Duration.ofHours(1)); return null; }));
          yieldNow();
          yieldNow();
          assertThat(two.available()).isEqualTo(1);
          cancel(cancelled);
          assertThatThrownBy(() -> join(cancelled)).isInstanceOf(TaskCancelledException.class);
          assertThat(two.available()).isEqualTo(2);
          return null;
        });
  }

  @Test
  void case83_whatTheBodyHasThrownIsNotLostByTheReleaseThatFollows() throws Exception {
    value(
        () -> {
          Semaphore one = semaphore(1);
          List<Task<Object>> self = new ArrayList<>();
          self.add(
              spawn(
                  () ->
                      withPermit(
                          one,
                          () -> {
                            self.getFirst().cancel();
                            throw new IllegalStateException("body");
                          })));
          assertThatThrownBy(() -> join(self.getFirst()))
              .isInstanceOf(TaskCancelledException.class)
              .satisfies(told -> assertThat(told.getSuppressed()).singleElement().isInstanceOf(IllegalStateException.class));
          assertThat(one.available()).isEqualTo(1);
          assertThatThrownBy(
                  () ->
                      withPermit(
                          one,
                          () -> {
                            release(one);
                            throw new IllegalArgumentException("body");
                          }))
              .hasMessage("body")
              .satisfies(body -> assertThat(body.getSuppressed()).singleElement().isInstanceOf(IllegalStateException.class));
          assertThat(one.available()).isEqualTo(1);
          return null;
        });
  }

  @Test
  void case119_aRawAcquireLeaksAndACheckNamesItsLine() throws Exception {
    Program<Object> leaky =
        () -> {
          Semaphore one = semaphore(1);
          Task<Object> task = spawn(() -> { acquire(one); throw new IllegalStateException("forgets the release"); });
          assertThatThrownBy(() -> join(task)).hasMessage("forgets the release");
          assertThat(one.available()).isZero();
          return null;
        };
    value(leaky);
    Report report = runner().check(leaky).engine(engine).seeds(5).search();
    assertThat(report.failure()).hasValueSatisfying(
        failure -> {
          assertThat(failure.kind()).isEqualTo(Kind.LEAKED_PERMIT);
          assertThat(failure.message()).contains("SemaphoreTest.java:");
        });
  }

  @Test
  void case120_aMillionSemaphoresLeaveNothingBehind() throws Exception {
    long grown =
        this.<Long>value(
            () -> {
              useAndDrop(50_000);
              long before = usedHeap(Long.MAX_VALUE);
              useAndDrop(1_000_000);
              return usedHeap(before + 20_000_000) - before;
            });
    assertThat(grown).isLessThan(20_000_000);
  }

  private static void useAndDrop(int n) {
    for (int i = 0; i < n; i++) {
      Semaphore one = semaphore(1);
      acquire(one);
      release(one);
    }
    semaphore(1);
  }

  private static long usedHeap(long enough) {
    // Whoever keeps names forgets those of what is gone when something new is named.
    return Heap.used(enough, () -> semaphore(1));
  }
}

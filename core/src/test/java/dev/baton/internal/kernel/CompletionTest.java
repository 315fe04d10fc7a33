// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static dev.baton.host.Waiter.FOREVER;
import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.TIMED_OUT;
import static dev.baton.host.Waiter.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody, one or many wait, and whoever waits at the end is told once. */
@Timeout(60)
class CompletionTest {
  private static final Object RESULT = "result";

  private final Completion completion = new Completion();

  @Test
  void theFirstResultStands() {
    assertThat(completion.resultOrNull()).isNull();
    assertThat(completion.complete(RESULT)).isTrue();
    assertThat(completion.complete("another")).isFalse();
    assertThat(completion.resultOrNull()).isSameAs(RESULT);
    assertThat(completion.register(new Request(0))).isEqualTo(GRANTED);
    assertThat(completion.waiting()).isZero();
  }

  @Test
  void oneWhoWaitsAloneMayLeave() {
    Request alone = new Request(0);
    assertThat(completion.register(alone)).isEqualTo(WAITING);
    assertThat(completion.waiting()).isEqualTo(1);
    assertThat(completion.resultOrNull()).isNull();
    assertThat(completion.cancel(alone)).isTrue();
    assertThat(completion.cancel(alone)).isFalse();
    assertThat(completion.waiting()).isZero();
    assertThat(completion.complete(RESULT)).isTrue();
    assertThat(alone.outcome()).isEqualTo(WAITING);
  }

  @Test
  void oneWhoWaitsAloneIsTold() {
    Request alone = new Request(0);
    completion.register(alone);
    assertThat(completion.complete(RESULT)).isTrue();
    assertThat(alone.outcome()).isEqualTo(GRANTED);
    assertThat(completion.cancel(alone)).isFalse();
    assertThat(completion.complete("another")).isFalse();
  }

  @Test
  void manyAreToldInTheirOrderButThoseWhoLeft() {
    List<Integer> told = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Request request = new Told(i, told);
      requests.add(request);
      assertThat(completion.register(request)).isEqualTo(WAITING);
      assertThat(completion.waiting()).isEqualTo(i + 1);
    }
    for (int leaving : new int[] {0, 3, 5}) {
      assertThat(completion.cancel(requests.get(leaving))).isTrue();
      assertThat(completion.cancel(requests.get(leaving))).isFalse();
    }
    assertThat(completion.waiting()).isEqualTo(3);
    assertThat(completion.resultOrNull()).isNull();
    assertThat(completion.complete(RESULT)).isTrue();
    assertThat(completion.complete("another")).isFalse();
    assertThat(told).containsExactly(1, 2, 4);
    assertThat(completion.waiting()).isZero();
  }

  @Test
  void allOfManyMayLeave() {
    Request one = new Request(0);
    Request other = new Request(0);
    completion.register(one);
    completion.register(other);
    assertThat(completion.cancel(one)).isTrue();
    assertThat(completion.cancel(other)).isTrue();
    assertThat(completion.waiting()).isZero();
    Request late = new Request(0);
    assertThat(completion.register(late)).isEqualTo(WAITING);
    assertThat(completion.complete(RESULT)).isTrue();
    assertThat(late.outcome()).isEqualTo(GRANTED);
  }

  @Test
  void oneThatWasServedElsewhereIsNotTold() {
    Request elsewhere =
        new Request(0) {
          @Override
          protected boolean claim() {
            return false;
          }
        };
    completion.register(elsewhere);
    assertThat(completion.complete(RESULT)).isTrue();
    assertThat(elsewhere.outcome()).isEqualTo(WAITING);
  }

  @Test
  void comingLeavingAndCompletingMayRace() throws Exception {
    for (int round = 0; round < 3_000; round++) {
      Completion raced = new Completion();
      AtomicInteger completed = new AtomicInteger();
      CyclicBarrier start = new CyclicBarrier(5);
      List<Runnable> roles =
          List.of(
              () -> assertThat(raced.await(this, false, FOREVER)).isEqualTo(GRANTED),
              () -> assertThat(raced.await(this, false, FOREVER)).isEqualTo(GRANTED),
              () -> assertThat(raced.await(this, false, 1)).isIn(GRANTED, TIMED_OUT),
              () -> leaveAtOnce(raced),
              () -> completed.addAndGet(raced.complete(RESULT) ? 1 : 0));
      List<Thread> threads = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (Runnable role : roles) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        start.await();
                        role.run();
                      } catch (Throwable failure) {
                        synchronized (failures) {
                          failures.add(failure);
                        }
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(completed).hasValue(1);
      assertThat(raced.waiting()).isZero();
    }
  }

  private static void leaveAtOnce(Completion raced) {
    Request request = new Request(0);
    if (raced.register(request) == WAITING && raced.cancel(request)) {
      assertThat(request.outcome()).isEqualTo(WAITING);
    }
  }

  /** Says when it is told. */
  private static final class Told extends Request {
    private final int number;
    private final List<Integer> told;

    Told(int number, List<Integer> told) {
      super(0);
      this.number = number;
      this.told = told;
    }

    @Override
    public void wake() {
      told.add(number);
    }
  }
}

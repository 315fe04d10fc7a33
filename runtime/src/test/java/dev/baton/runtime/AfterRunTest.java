// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a run leaves behind and others share: its time comes as if the run went on. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AfterRunTest {
  private static final Duration SHORT = Duration.ofMillis(100);

  static List<Clock> clocks() {
    return List.of(Clock.real(), Clock.virtual());
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void aRequestThatTimesOutLetsTheNextInLineBeConsidered(Clock clock) throws Exception {
    Semaphore semaphore = Semaphore.of(2);
    semaphore.acquire();
    CompletableFuture<Permit> left = Cooperative.create().clock(clock).run(() -> semaphore.acquireAsync(2, SHORT));
    CompletableFuture<Permit> next = semaphore.acquireAsync();
    try (Permit granted = next.get()) {
      assertThat(granted.count()).isEqualTo(1);
      assertThatThrownBy(left::get).hasCauseInstanceOf(TimeoutException.class);
    }
    assertThat(semaphore.waiting()).isZero();
    assertThat(semaphore.available()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void aFutureHasTheTimeOutThatItWasGiven(Clock clock) throws Exception {
    Semaphore semaphore = Semaphore.of(1);
    semaphore.acquire();
    CompletableFuture<Permit> left =
        Cooperative.create().clock(clock).run(() -> semaphore.acquireAsync().orTimeout(SHORT.toMillis(), TimeUnit.MILLISECONDS));
    assertThatThrownBy(left::get).hasCauseInstanceOf(TimeoutException.class);
    semaphore.release();
    assertThat(semaphore.tryAcquire()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void aPoolDestroysWhatIsIdleTooLong(Clock clock) throws Exception {
    CountDownLatch destroyed = new CountDownLatch(1);
    try (Pool<Object> pool = Pool.builder(1, Object::new).maxIdle(SHORT).destroyer(gone -> destroyed.countDown()).build()) {
      Cooperative.create().clock(clock).run(() -> pool.withResource(Object::hashCode));
      destroyed.await();
    }
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void aPoolOfSeveralWorldsDestroysWhatIsIdleTooLongInEach(Clock clock) throws Exception {
    CountDownLatch destroyed = new CountDownLatch(3);
    try (Pool<Object> pool = Pool.builder(3, Object::new).maxIdle(SHORT).destroyer(gone -> destroyed.countDown()).build()) {
      Borrowed<Object> first = pool.acquire();
      Borrowed<Object> last = pool.acquire();
      first.close();
      Borrowed<Object> among = pool.acquire();
      Cooperative.create().clock(clock).run(() -> pool.withResource(Object::hashCode));
      last.close();
      among.close();
      destroyed.await();
      assertThat(pool.stats().idle()).isZero();
    }
  }
}

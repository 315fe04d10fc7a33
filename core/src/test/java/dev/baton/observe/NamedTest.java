// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.baton.channel.Broadcast;
import dev.baton.channel.Channel;
import dev.baton.channel.Heard;
import dev.baton.channel.Subscription;
import dev.baton.pattern.BatchQueue;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.BoundedExecutor;
import dev.baton.pattern.Pool;
import dev.baton.scope.Scope;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The one registry of live named things. */
@Timeout(60)
class NamedTest {

  private static List<Named> called(String name) {
    return Baton.named().stream().filter(thing -> thing.name().equals(name)).toList();
  }

  private static Usage usageOf(String name) {
    assertThat(called(name)).hasSize(1);
    return called(name).getFirst().usage().orElseThrow();
  }

  // ---- every kind ----

  @Test
  void aSemaphore() throws Exception {
    Semaphore semaphore = Semaphore.of(3).named("NamedTest semaphore");
    semaphore.acquire();
    assertThat(called("NamedTest semaphore").getFirst().kind()).isEqualTo("semaphore");
    assertThat(usageOf("NamedTest semaphore")).isEqualTo(new Usage(2, 1, 0));
    var future = semaphore.acquireAsync(3);
    assertThat(usageOf("NamedTest semaphore")).isEqualTo(new Usage(0, 1, 1));
    future.cancel(true);
    assertThat(semaphore.toString()).startsWith("Semaphore \"NamedTest semaphore\"@");
  }

  @Test
  void anUnboundedSemaphoreDoesNotKnowWhatIsHeld() {
    Semaphore semaphore = Semaphore.unbounded(3).named("NamedTest unbounded");
    assertThat(usageOf("NamedTest unbounded")).isEqualTo(new Usage(3, Usage.UNKNOWN, 0));
    assertThat(semaphore.available()).isEqualTo(3);
  }

  @Test
  void aMutex() {
    Mutex mutex = new Mutex().named("NamedTest mutex");
    assertThat(usageOf("NamedTest mutex")).isEqualTo(new Usage(1, 0, 0));
    mutex.lock();
    assertThat(usageOf("NamedTest mutex")).isEqualTo(new Usage(0, 1, 0));
    assertThat(mutex.toString()).startsWith("Mutex \"NamedTest mutex\"@");
  }

  @Test
  void aReadWriteLock() {
    RwLock rw = new RwLock().named("NamedTest rwlock");
    RwLock few = RwLock.withMaxReaders(5).named("NamedTest few readers");
    rw.readLock().lock();
    rw.readLock().lock();
    few.readLock().lock();
    assertThat(usageOf("NamedTest rwlock")).isEqualTo(new Usage(Usage.UNKNOWN, 2, 0));
    assertThat(usageOf("NamedTest few readers")).isEqualTo(new Usage(4, 1, 0));
    few.readLock().unlock();
    few.writeLock().lock();
    assertThat(usageOf("NamedTest few readers")).isEqualTo(new Usage(0, 1, 0));
    assertThat(rw.toString()).startsWith("RwLock \"NamedTest rwlock\"@");
  }

  @Test
  void aChannel() throws Exception {
    Channel<String> channel = Channel.<String>buffered(4).named("NamedTest channel");
    Channel<String> unlimited = Channel.<String>unlimited().named("NamedTest unlimited");
    channel.send("one");
    unlimited.send("one");
    assertThat(usageOf("NamedTest channel")).isEqualTo(new Usage(3, 1, 0));
    assertThat(usageOf("NamedTest unlimited")).isEqualTo(new Usage(Usage.UNKNOWN, 1, 0));
    channel.receive();
    var future = channel.receiveAsync();
    assertThat(usageOf("NamedTest channel")).isEqualTo(new Usage(4, 0, 1));
    future.cancel(true);
    assertThat(channel.toString()).startsWith("Channel \"NamedTest channel\"@");
    assertThat(unlimited.size()).isEqualTo(1);
  }

  @Test
  void aBroadcast() throws Exception {
    Broadcast<String> broadcast = Broadcast.<String>buffered(2).named("NamedTest broadcast");
    assertThat(called("NamedTest broadcast").getFirst().kind()).isEqualTo("broadcast");
    try (Subscription<String> one = broadcast.subscribe();
        Subscription<String> two = broadcast.subscribe()) {
      assertThat(usageOf("NamedTest broadcast")).isEqualTo(new Usage(2, 0, 0));
      broadcast.send("one");
      broadcast.send("two");
      one.receive();
      assertThat(usageOf("NamedTest broadcast")).isEqualTo(new Usage(0, 2, 0));
      var sending = broadcast.sendAsync("three");
      one.receive();
      var receiving = one.receiveAsync();
      assertThat(usageOf("NamedTest broadcast")).isEqualTo(new Usage(0, 2, 2));
      sending.cancel(true);
      receiving.cancel(true);
      assertThat(two.size()).isEqualTo(2);
    }
    assertThat(broadcast.toString()).startsWith("Broadcast \"NamedTest broadcast\"@");
  }

  @Test
  void aLaggingBroadcastHasRoomUntilSomebodyMissesSomething() throws Exception {
    Broadcast<String> broadcast = Broadcast.<String>lagging(2).named("NamedTest lagging");
    try (Subscription<String> slow = broadcast.subscribe()) {
      broadcast.send("one");
      broadcast.send("two");
      assertThat(usageOf("NamedTest lagging")).isEqualTo(new Usage(0, 2, 0));
      broadcast.send("three");
      assertThat(usageOf("NamedTest lagging")).isEqualTo(new Usage(0, 2, 0));
      assertThat(slow.tryReceive()).isEqualTo(new Heard.Lagged<>(1));
    }
  }

  @Test
  void aBatchQueue() throws Exception {
    BatchQueue<String> queue = new BatchQueue<String>().named("NamedTest batches");
    assertThat(called("NamedTest batches").getFirst().kind()).isEqualTo("batchqueue");
    queue.putAll(List.of("one", "two"));
    assertThat(usageOf("NamedTest batches")).isEqualTo(new Usage(Usage.UNKNOWN, 2, 0));
    var three = queue.getManyAsync(3);
    assertThat(usageOf("NamedTest batches")).isEqualTo(new Usage(Usage.UNKNOWN, 2, 1));
    three.cancel(true);
    assertThat(queue.toString()).startsWith("BatchQueue \"NamedTest batches\"@");
  }

  @Test
  void aPool() throws Exception {
    try (Pool<String> pool = Pool.of(2, () -> "thing").named("NamedTest pool");
        Borrowed<String> borrowed = pool.acquire()) {
      assertThat(borrowed.get()).isEqualTo("thing");
      assertThat(usageOf("NamedTest pool")).isEqualTo(new Usage(1, 1, 0));
      assertThat(pool.toString()).startsWith("Pool \"NamedTest pool\"@");
    }
  }

  @Test
  void anExecutor() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (BoundedExecutor executor = BoundedExecutor.limit(3).build().named("NamedTest executor")) {
      executor.execute(
          () -> {
            begun.countDown();
            awaitQuietly(end);
          });
      begun.await();
      assertThat(usageOf("NamedTest executor")).isEqualTo(new Usage(2, 1, 0));
      assertThat(executor.toString()).startsWith("BoundedExecutor \"NamedTest executor\"@");
      end.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aScopeUntilItIsClosed() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (Scope scope = Scope.open().named("NamedTest scope").limit(2)) {
      assertThat(usageOf("NamedTest scope")).isEqualTo(new Usage(2, 0, 0));
      scope.fork(
          () -> {
            end.await();
            return null;
          });
      assertThat(usageOf("NamedTest scope")).isEqualTo(new Usage(1, 1, 0));
      assertThat(scope.toString()).startsWith("Scope \"NamedTest scope\"@");
      end.countDown();
      scope.join();
    }
    assertThat(called("NamedTest scope")).isEmpty();
  }

  @Test
  void aScopeWithoutALimitDoesNotKnowWhatIsFree() {
    try (Scope scope = Scope.open().named("NamedTest free scope")) {
      assertThat(scope).isNotNull();
      assertThat(usageOf("NamedTest free scope")).isEqualTo(new Usage(Usage.UNKNOWN, 0, 0));
    }
  }

  // ---- names ----

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t\n"})
  void aNameThatCannotBeSeenIsRefused(String name) {
    Semaphore semaphore = Semaphore.of(1);
    assertThatIllegalArgumentException().isThrownBy(() -> semaphore.named(name)).withMessageContaining("at least one character");
    assertThat(called(name)).isEmpty();
    assertThat(semaphore.toString()).startsWith("Semaphore@");
  }

  @Test
  @SuppressWarnings("NullAway") // what a caller who does not check may do
  void noNameAtAllIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> new Mutex().named(null)).withMessage("name");
    assertThatNullPointerException().isThrownBy(() -> Baton.observe(null)).withMessage("observer");
  }

  @Test
  void aThingIsNamedOnce() {
    Mutex mutex = new Mutex().named("NamedTest once");
    assertThat(mutex.named("NamedTest once")).isSameAs(mutex);
    assertThatIllegalStateException()
        .isThrownBy(() -> mutex.named("NamedTest twice"))
        .withMessage(
            "It is called \"NamedTest once\" already and cannot be called \"NamedTest twice\" too: name a thing once, where it is"
                + " made.");
    assertThat(called("NamedTest once")).hasSize(1);
    assertThat(called("NamedTest twice")).isEmpty();
  }

  @Test
  void aScopeIsNamedBeforeItForks() throws Exception {
    try (Scope scope = Scope.open()) {
      CountDownLatch end = new CountDownLatch(1);
      scope.fork(
          () -> {
            end.await();
            return null;
          });
      assertThatIllegalStateException().isThrownBy(() -> scope.named("NamedTest late"));
      assertThat(called("NamedTest late")).isEmpty();
      end.countDown();
      scope.join();
    }
  }

  @Test
  void twoThingsMayHaveOneName() {
    Semaphore one = Semaphore.of(1).named("NamedTest same");
    Semaphore two = Semaphore.of(2).named("NamedTest same");
    Mutex three = new Mutex().named("NamedTest same");
    assertThat(called("NamedTest same")).extracting(Named::kind).containsExactly("mutex", "semaphore", "semaphore");
    assertThat(List.of(one, two, three)).hasSize(3);
  }

  @Test
  void theyAreListedByKindAndName() {
    Mutex b = new Mutex().named("NamedTest b");
    Mutex a = new Mutex().named("NamedTest a");
    Semaphore c = Semaphore.of(1).named("NamedTest A");
    assertThat(Baton.named().stream().map(Named::toString).filter(text -> text.matches(".*NamedTest [abA]\"")))
        .containsExactly("mutex \"NamedTest a\"", "mutex \"NamedTest b\"", "semaphore \"NamedTest A\"");
    assertThat(List.of(a, b, c)).hasSize(3);
  }

  // ---- weakly held ----

  @Test
  void whatNobodyHasAnyMoreIsNotListed() {
    Named weak = nameAndForget();
    Gc.until(() -> called("NamedTest forgotten").isEmpty(), "a semaphore that nobody has is gone");
    assertThat(weak.usage()).isEmpty();
    assertThat(weak.name()).isEqualTo("NamedTest forgotten");
  }

  private static Named nameAndForget() {
    @Nullable Semaphore semaphore = Semaphore.of(1).named("NamedTest forgotten");
    Named named = called("NamedTest forgotten").getFirst();
    assertThat(semaphore.tryAcquire()).isTrue();
    return named;
  }

  @Test
  void aSemaphoreOfWhichSomebodyHoldsAPermitIsListed() throws Exception {
    Permit permit = Semaphore.of(1).named("NamedTest held").hold();
    Gc.until(Gc::hasRun, "the collector has run");
    assertThat(usageOf("NamedTest held")).isEqualTo(new Usage(0, 1, 0));
    permit.close();
  }

  // ---- dumps ----

  @Test
  void toStringOfAGuardNamesItsLock() throws Exception {
    RwLock rw = new RwLock().named("NamedTest guarded");
    try (Guard guard = rw.readLock().guard()) {
      assertThat(guard.toString()).contains("RwLock \"NamedTest guarded\"");
    }
  }
}

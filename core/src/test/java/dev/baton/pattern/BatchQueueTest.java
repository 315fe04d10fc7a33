// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.channel.ChannelClosedException;
import dev.baton.channel.Received;
import dev.baton.channel.Select;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.threads.ThreadHost;
import dev.baton.sync.ClosedException;
import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Hurry;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Items got one by one or many together, by those who wait in line with the number they want. */
class BatchQueueTest extends InEveryWorld {
  private final BatchQueue<Integer> queue = new BatchQueue<>();

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private Actor<List<Integer>> getter(int n) {
    return world().call("getMany " + n, () -> queue.getMany(n));
  }

  // ---- the line ----

  @Test
  void pattern16_oneWhoWantsManyIsNotStarvedByOneWhoWantsFewAgainAndAgain() {
    int many = kind == Worlds.STEPPED ? 30 : 3_000;
    AtomicInteger gotByFew = new AtomicInteger();
    Actor<Void> few =
        world()
            .start(
                "few",
                () -> {
                  for (List<Integer> got = queue.getMany(3); got.size() == 3; got = queue.getMany(3)) {
                    gotByFew.addAndGet(3);
                  }
                });
    Actor<List<Integer>> big = getter(many);
    assertThat(queue.waiting()).isEqualTo(2);
    for (int i = 0; i < 3 + many - 1; i++) {
      queue.put(i);
    }
    world().settle();
    assertThat(big.isDone()).isFalse();
    // The last one it wants, whatever the other does meanwhile.
    queue.put(3 + many - 1);
    assertThat(big.result()).isEqualTo(range(3, 3 + many));
    queue.close();
    few.result();
    assertThat(gotByFew.get()).isEqualTo(3);
  }

  @Test
  void pattern17_onePutWakesAtMostOne() throws Exception {
    int waiters = 8;
    AtomicInteger wakeUps = new AtomicInteger();
    List<Actor<List<Integer>>> all = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      all.add(counted("getMany 2", wakeUps, () -> queue.getMany(2)));
    }
    queue.put(0);
    assertThat(woken(all, wakeUps)).isZero();
    queue.put(1);
    // Looked at before they run: each that is not asleep any more was woken.
    assertThat(woken(all, wakeUps)).isLessThanOrEqualTo(1);
    assertThat(all.getFirst().result()).containsExactly(0, 1);
    queue.put(2);
    assertThat(woken(all.subList(1, waiters), wakeUps)).isLessThanOrEqualTo(kind == Worlds.STEPPED ? 0 : 1);
    queue.putAll(range(3, 6));
    for (int i = 1; i < 3; i++) {
      assertThat(all.get(i).result()).containsExactly(2 * i, 2 * i + 1);
    }
    assertThat(woken(all.subList(3, waiters), wakeUps)).isLessThanOrEqualTo(kind == Worlds.STEPPED ? 0 : 3);
    assertThat(queue.waiting()).isEqualTo(waiters - 3);
    queue.close();
    all.forEach(Actor::result);
  }

  /** A task that counts how often it is woken, where tasks are threads. */
  private <T> Actor<T> counted(String name, AtomicInteger wakeUps, Callable<T> body) {
    if (kind == Worlds.STEPPED) {
      return world().call(name, body);
    }
    Host counting =
        (Host)
            Proxy.newProxyInstance(
                Host.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("unpark")) {
                    wakeUps.incrementAndGet();
                  }
                  return method.invoke(ThreadHost.INSTANCE, arguments);
                });
    return world()
        .call(
            name,
            () -> {
              List<T> result = new ArrayList<>();
              Hosts.runOn(
                  counting,
                  () -> {
                    try {
                      result.add(body.call());
                    } catch (Exception e) {
                      throw new AssertionError(e);
                    }
                  });
              return result.getFirst();
            });
  }

  private int woken(List<? extends Actor<?>> all, AtomicInteger wakeUps) {
    return kind == Worlds.STEPPED ? (int) all.stream().filter(actor -> !actor.isWaiting()).count() : wakeUps.get();
  }

  @Test
  void pattern18_eachChangeReconsidersTheFirstInLine() throws Exception {
    // put
    Actor<List<Integer>> two = getter(2);
    queue.put(0);
    queue.put(1);
    assertThat(two.result()).containsExactly(0, 1);
    // putAll, for several at once
    Actor<List<Integer>> one = getter(1);
    Actor<List<Integer>> three = getter(3);
    Actor<List<Integer>> five = getter(5);
    queue.putAll(range(0, 6));
    assertThat(one.result()).containsExactly(0);
    assertThat(three.result()).containsExactly(1, 2, 3);
    assertThat(queue.size()).isEqualTo(2);
    // cancel
    Actor<List<Integer>> behind = getter(2);
    assertThat(behind.isWaiting()).as("it does not overtake").isTrue();
    five.interrupt();
    assertThat(behind.result()).containsExactly(4, 5);
    assertThat(five.failure()).isInstanceOf(InterruptedException.class);
    // close
    queue.putAll(range(6, 9));
    Actor<List<Integer>> four = getter(4);
    Actor<List<Integer>> last = getter(1);
    queue.close();
    assertThat(four.result()).containsExactly(6, 7, 8);
    assertThat(last.result()).isEmpty();
    assertThat(queue.waiting()).isZero();
    assertThat(queue.size()).isZero();
  }

  @Test
  void pattern19_whoIsCancelledReturnsAtOnceAndTheNextGetsWhatItWaitedFor() throws Exception {
    Hurry.inTime(SHORT, hurry -> othersAreCancelled(hurry, new BatchQueue<>(), new Event()));
  }

  private void othersAreCancelled(Hurry hurry, BatchQueue<Integer> line, Event other) throws Exception {
    try {
      line.putAll(range(0, 4));
      Actor<List<Integer>> interrupted = world().call("interrupted", () -> line.getMany(9));
      CompletableFuture<List<Integer>> cancelled = line.getManyAsync(8);
      Actor<Optional<List<Integer>>> late = world().call("late", () -> line.tryGetMany(7, hurry.time()));
      Actor<String> elsewhere =
          world()
              .call(
                  "select",
                  () -> Select.of(Select.getMany(line, 6, items -> "items"), Select.event(other, () -> "event")).run());
      Actor<Integer> next = world().call("get", line::get);
      Actor<List<Integer>> afterThat = world().call("after that", () -> line.getMany(3));
      assertThat(line.waiting()).isEqualTo(6);
      hurry.done();
      interrupted.interrupt();
      assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
      assertThat(cancelled.cancel(true)).isTrue();
      world().pass(hurry.time());
      assertThat(late.result()).isEmpty();
      assertThat(next.isDone()).isFalse();
      other.set();
      assertThat(elsewhere.result()).isEqualTo("event");
      assertThat(next.result()).isZero();
      assertThat(afterThat.result()).containsExactly(1, 2, 3);
      assertThat(line.waiting()).isZero();
      assertThat(line.size()).isZero();
    } finally {
      // For those who still wait, if it took too long.
      other.set();
      line.close();
    }
  }

  @Test
  void pattern20_itemsComeInOrderEachToOne() {
    int each = kind == Worlds.STEPPED ? 24 : 3_000;
    int producers = 3;
    List<List<Integer>> batches = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger tasks = new AtomicInteger();
    AtomicInteger left = new AtomicInteger(producers);
    together(
        producers + 3,
        () -> {
          int task = tasks.getAndIncrement();
          if (task >= producers) {
            Random random = new Random(task);
            List<Integer> got;
            do {
              got = queue.getMany(1 + random.nextInt(5));
              batches.add(got);
            } while (!got.isEmpty());
            return;
          }
          for (int i = 0; i < each; i += 3) {
            int first = task * 1_000_000 + i;
            if (i % 2 == 0) {
              queue.putAll(List.of(first, first + 1, first + 2));
            } else {
              queue.put(first);
              queue.put(first + 1);
              queue.put(first + 2);
            }
          }
          if (left.decrementAndGet() == 0) {
            queue.close();
          }
        });
    List<Integer> all = batches.stream().flatMap(List::stream).toList();
    assertThat(all).hasSize(producers * each).doesNotHaveDuplicates();
    for (List<Integer> batch : batches) {
      int[] last = new int[producers];
      for (int item : batch) {
        assertThat(item % 1_000_000 + 1).isGreaterThan(last[item / 1_000_000]);
        last[item / 1_000_000] = item % 1_000_000 + 1;
      }
    }
    assertThat(queue.isFinished()).isTrue();
  }

  @Test
  void pattern20_oneGetterSeesEachProducersItemsInTheirOrder() {
    int each = kind == Worlds.STEPPED ? 10 : 1_000;
    List<Integer> got = new CopyOnWriteArrayList<>();
    Actor<Void> getter =
        world()
            .start(
                "get",
                () -> {
                  for (int i = 0; i < each; i++) {
                    got.addAll(queue.getMany(2));
                  }
                });
    AtomicInteger tasks = new AtomicInteger();
    together(
        2,
        () -> {
          int base = tasks.getAndIncrement() * 10_000;
          for (int i = 0; i < each; i++) {
            queue.put(base + i);
          }
        });
    getter.result();
    assertThat(got.stream().filter(i -> i < 10_000).toList()).isEqualTo(range(0, each));
    assertThat(got.stream().filter(i -> i >= 10_000).toList()).isEqualTo(range(10_000, 10_000 + each));
  }

  @Test
  void aNewcomerDoesNotOvertake() throws Exception {
    Actor<List<Integer>> big = getter(5);
    queue.putAll(range(0, 3));
    assertThat(queue.tryGet()).isEqualTo(new Received.Empty<>());
    assertThat(queue.tryGetMany(1)).isEmpty();
    assertThat(queue.tryGet(Duration.ZERO)).isEqualTo(new Received.Empty<>());
    assertThat(queue.getAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    assertThat(Select.of(Select.getMany(queue, 1, items -> "items"), Select.otherwise(() -> "otherwise")).run())
        .isEqualTo("otherwise");
    queue.putAll(range(3, 5));
    assertThat(big.result()).isEqualTo(range(0, 5));
  }

  // ---- getting ----

  @Test
  void everyWayToGetGetsTheSame() throws Exception {
    queue.putAll(range(0, 14));
    assertThat(queue.size()).isEqualTo(14);
    assertThat(queue.get()).isZero();
    assertThat(queue.getUninterruptibly()).isEqualTo(1);
    assertThat(queue.tryGet()).isEqualTo(new Received.Value<>(2));
    assertThat(queue.tryGet(LONG)).isEqualTo(new Received.Value<>(3));
    assertThat(queue.getAsync().get()).isEqualTo(4);
    assertThat(queue.getAsync(LONG).get()).isEqualTo(5);
    assertThat(queue.getMany(2)).containsExactly(6, 7);
    assertThat(queue.getManyUninterruptibly(1)).containsExactly(8);
    assertThat(queue.tryGetMany(1)).contains(List.of(9));
    assertThat(queue.tryGetMany(1, LONG)).contains(List.of(10));
    assertThat(queue.getManyAsync(1).get()).containsExactly(11);
    assertThat(queue.getManyAsync(1, LONG).get()).containsExactly(12);
    assertThat(Select.<Integer>of(Select.getMany(queue, 1, List::getFirst)).run()).isEqualTo(13);
    assertThat(queue.size()).isZero();
    assertThat(queue.tryGet()).isEqualTo(new Received.Empty<>());
  }

  @Test
  void everyWayToWaitIsServedInTurn() throws Exception {
    Actor<Integer> get = world().call("get", queue::get);
    Actor<Integer> stubborn = world().call("get", queue::getUninterruptibly);
    Actor<Received<Integer>> timed = world().call("get", () -> queue.tryGet(LONG));
    CompletableFuture<Integer> future = queue.getAsync();
    Actor<List<Integer>> many = getter(2);
    Actor<List<Integer>> stubbornMany = world().call("get", () -> queue.getManyUninterruptibly(2));
    Actor<Optional<List<Integer>>> timedMany = world().call("get", () -> queue.tryGetMany(2, LONG));
    CompletableFuture<List<Integer>> futureMany = queue.getManyAsync(2);
    Actor<List<Integer>> select = world().call("get", () -> Select.<List<Integer>>of(Select.getMany(queue, 2, i -> i)).run());
    assertThat(queue.waiting()).isEqualTo(9);
    for (int i = 0; i < 14; i++) {
      queue.put(i);
    }
    assertThat(get.result()).isZero();
    assertThat(stubborn.result()).isEqualTo(1);
    assertThat(timed.result()).isEqualTo(new Received.Value<>(2));
    assertThat(future.get()).isEqualTo(3);
    assertThat(many.result()).containsExactly(4, 5);
    assertThat(stubbornMany.result()).containsExactly(6, 7);
    assertThat(timedMany.result()).contains(List.of(8, 9));
    assertThat(futureMany.get()).containsExactly(10, 11);
    assertThat(select.result()).containsExactly(12, 13);
  }

  @Test
  void aBatchCannotBeChangedAndIsAListLikeAnyOther() throws Exception {
    queue.putAll(range(0, 4));
    List<Integer> got = queue.getMany(3);
    assertThat(got).isEqualTo(List.of(0, 1, 2)).hasSize(3).hasToString("[0, 1, 2]");
    assertThat(got.hashCode()).isEqualTo(List.of(0, 1, 2).hashCode());
    assertThat(got.toArray()).containsExactly(0, 1, 2);
    assertThat(got.toArray(new Integer[0])).containsExactly(0, 1, 2);
    assertThatThrownBy(() -> got.set(0, 9)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> got.add(9)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> got.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aQueueOfAnySizeKeepsItsOrderWhileItGrows() throws Exception {
    int next = 0;
    int got = 0;
    Random random = new Random(7);
    for (int round = 0; round < 60; round++) {
      int more = random.nextInt(round + 2);
      queue.putAll(range(next, next + more));
      next += more;
      int less = Math.min(queue.size(), random.nextInt(round + 1));
      if (less > 0) {
        assertThat(queue.getMany(less)).isEqualTo(range(got, got + less));
        got += less;
      }
    }
    assertThat(queue.closeAndDrain()).isEqualTo(range(got, next));
  }

  // ---- cancellation ----

  @Test
  void whatMeetsAnInterruptIsDelivered() {
    Actor<List<Integer>> getter = getter(2);
    queue.putAll(range(0, 2));
    getter.interrupt();
    assertThat(getter.result()).containsExactly(0, 1);
    if (kind == Worlds.STEPPED) {
      assertThat(getter.endedInterrupted()).isTrue();
    }
    assertThat(queue.size()).isZero();
  }

  @Test
  void anInterruptedCallerTakesNothing() {
    queue.put(1);
    for (World.Step step :
        List.<World.Step>of(
            queue::get, () -> queue.getMany(1), () -> queue.tryGet(LONG), () -> queue.tryGetMany(1, LONG))) {
      Actor<Void> getter =
          world()
              .start(
                  "get",
                  () -> {
                    Thread.currentThread().interrupt();
                    step.run();
                  });
      assertThat(getter.failure()).isInstanceOf(InterruptedException.class);
    }
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void anUninterruptibleWaitGoesOnAndTheInterruptStays() {
    Actor<List<Integer>> getter = world().call("get", () -> queue.getManyUninterruptibly(2));
    getter.interrupt();
    world().settle();
    assertThat(getter.isDone()).isFalse();
    queue.putAll(range(0, 2));
    assertThat(getter.result()).containsExactly(0, 1);
    assertThat(getter.endedInterrupted()).isTrue();
  }

  @Test
  void aFutureThatTimesOutHasTakenNothing() {
    queue.put(0);
    Actor<Throwable> late =
        world().call("late", () -> queue.getManyAsync(2, SHORT).handle((items, failure) -> failure).get());
    world().pass(SHORT);
    assertThat(late.result()).isInstanceOf(TimeoutException.class);
    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void itemsOfAFutureThatWasObtrudedGoToTheHook() {
    List<Integer> undelivered = new CopyOnWriteArrayList<>();
    BatchQueue<Integer> careful = new BatchQueue<>(undelivered::add);
    CompletableFuture<List<Integer>> first = careful.getManyAsync(2);
    first.thenAccept(items -> {});
    first.obtrudeValue(List.of());
    careful.putAll(range(0, 3));
    assertThat(undelivered).isEmpty();
    assertThat(careful.size()).as("it had left the line").isEqualTo(3);
  }

  // ---- the end ----

  @Test
  void afterTheEndComesWhatIsLeftAndThenNothing() throws Exception {
    queue.putAll(range(0, 5));
    queue.close();
    assertThat(queue.isClosed()).isTrue();
    assertThat(queue.isFinished()).isFalse();
    assertThatThrownBy(() -> queue.put(9)).isInstanceOf(ClosedException.class).hasMessage("Cannot put: the queue is closed.");
    assertThatThrownBy(() -> queue.putAll(List.of(9))).isInstanceOf(ClosedException.class);
    assertThat(queue.tryPut(9)).isFalse();
    assertThat(queue.getMany(2)).containsExactly(0, 1);
    assertThat(queue.get()).isEqualTo(2);
    assertThat(queue.getMany(9)).containsExactly(3, 4);
    assertThat(queue.isFinished()).isTrue();
    assertThat(queue.getMany(9)).isEmpty();
    assertThat(queue.getManyUninterruptibly(9)).isEmpty();
    assertThat(queue.tryGetMany(9)).contains(List.of());
    assertThat(queue.tryGetMany(9, LONG)).contains(List.of());
    assertThat(queue.getManyAsync(9).get()).isEmpty();
    assertThat(queue.getManyAsync(9, Duration.ZERO).get()).isEmpty();
    assertThatThrownBy(queue::get).isInstanceOf(ClosedException.class).hasMessageStartingWith("Cannot get");
    assertThatThrownBy(queue::getUninterruptibly).isInstanceOf(ClosedException.class);
    assertThat(queue.tryGet()).isEqualTo(new Received.Closed<>());
    assertThat(queue.tryGet(LONG)).isEqualTo(new Received.Closed<>());
    assertThat(queue.getAsync().exceptionNow()).isInstanceOf(ClosedException.class);
    assertThat(queue.getAsync(Duration.ZERO).exceptionNow()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Select.of(Select.getMany(queue, 1, items -> "items")).run())
        .isInstanceOf(ChannelClosedException.class);
    queue.close();
  }

  @Test
  void whoeverAsksForMoreThanThereCanBeGetsWhatIsLeft() throws Exception {
    int all = Integer.MAX_VALUE;
    queue.putAll(range(0, 8));
    assertThat(queue.tryGetMany(all)).isEmpty();
    queue.close();
    assertThat(queue.getMany(2)).containsExactly(0, 1);
    assertThat(queue.getMany(all)).containsExactly(2, 3, 4, 5, 6, 7);
    assertThat(queue.getMany(all)).isEmpty();
    assertThat(queue.getManyUninterruptibly(all)).isEmpty();
    assertThat(queue.tryGetMany(all)).contains(List.of());
    assertThat(queue.tryGetMany(all, LONG)).contains(List.of());
    assertThat(queue.getManyAsync(all).get()).isEmpty();
    assertThatThrownBy(() -> Select.of(Select.getMany(queue, all, items -> "items")).run())
        .isInstanceOf(ChannelClosedException.class);
  }

  @Test
  void nobodyCanWaitForMoreThanThereIsRoomFor() throws Exception {
    for (int n : new int[] {BatchQueue.MAX_BATCH + 1, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> queue.getMany(n))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(n + " items")
          .hasMessageContaining("at most 1048576");
      assertThatThrownBy(() -> queue.getManyUninterruptibly(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> queue.tryGetMany(n, LONG)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> queue.getManyAsync(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(Select.of(Select.getMany(queue, n, i -> i))::run).isInstanceOf(IllegalArgumentException.class);
      assertThat(queue.tryGetMany(n)).isEmpty();
      assertThat(queue.tryGetMany(n, Duration.ZERO)).isEmpty();
      assertThat(queue.getManyAsync(n, Duration.ZERO)).isCompletedExceptionally();
    }
    assertThat(queue.waiting()).isZero();
    // What is there needs nobody to wait.
    int many = BatchQueue.MAX_BATCH + 1;
    queue.putAll(Collections.nCopies(many, 1));
    assertThat(queue.getMany(many)).hasSize(many);
  }

  @Test
  void anAttemptOfAnInterruptedCallerTakesNothing() {
    queue.put(1);
    Actor<Void> interrupted =
        world()
            .start(
                "interrupted",
                () -> {
                  Thread.currentThread().interrupt();
                  queue.tryGetMany(1, Duration.ZERO);
                });
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void thoseWhoWaitShareWhatThereIs() throws Exception {
    queue.putAll(range(0, 4));
    Actor<List<Integer>> first = getter(5);
    CompletableFuture<List<Integer>> future = queue.getManyAsync(2);
    CompletableFuture<Integer> one = queue.getAsync();
    Actor<Integer> get = world().call("get", queue::get);
    Actor<Received<Integer>> timed = world().call("get", () -> queue.tryGet(LONG));
    Actor<Optional<List<Integer>>> timedMany = world().call("get", () -> queue.tryGetMany(2, LONG));
    Event other = new Event();
    Actor<String> select =
        world()
            .call("select", () -> Select.of(Select.getMany(queue, 2, i -> "items"), Select.event(other, () -> "event")).run());
    Actor<String> onlyThis = world().call("select", () -> Select.of(Select.getMany(queue, 2, i -> "items")).run());
    queue.close();
    assertThat(first.result()).isEqualTo(range(0, 4));
    assertThat(future.get()).isEmpty();
    assertThat(one.exceptionNow()).isInstanceOf(ClosedException.class);
    assertThat(get.failure()).isInstanceOf(ClosedException.class);
    assertThat(timed.result()).isEqualTo(new Received.Closed<>());
    assertThat(timedMany.result()).contains(List.of());
    assertThat(onlyThis.failure()).isInstanceOf(ChannelClosedException.class);
    assertThat(select.isDone()).as("it has something else to wait for").isFalse();
    other.set();
    assertThat(select.result()).isEqualTo("event");
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void aSelectThatWaitsGetsWhatIsLeft() {
    queue.put(0);
    Actor<List<Integer>> select = world().call("select", () -> Select.<List<Integer>>of(Select.getMany(queue, 2, i -> i)).run());
    queue.close();
    assertThat(select.result()).containsExactly(0);
  }

  @Test
  void whatNobodyGotCanBeDrained() throws Exception {
    queue.putAll(range(0, 5));
    Actor<List<Integer>> waiting = getter(6);
    assertThat(waiting.isWaiting()).isTrue();
    waiting.interrupt();
    assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    assertThat(queue.closeAndDrain()).isEqualTo(range(0, 5));
    assertThat(queue.closeAndDrain()).isEmpty();
    assertThat(queue.isFinished()).isTrue();
  }

  // ---- mistakes ----

  @Test
  @SuppressWarnings("NullAway") // what is refused here
  void mistakesAreToldAndChangeNothing() throws Exception {
    assertThatThrownBy(() -> queue.put(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> queue.putAll(Arrays.asList(1, null, 3))).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> queue.putAll(null)).isInstanceOf(NullPointerException.class);
    for (int n : new int[] {0, -1}) {
      assertThatThrownBy(() -> queue.getMany(n))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("At least 1 item can be got, not " + n + ".");
      assertThatThrownBy(() -> queue.tryGetMany(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> queue.tryGetMany(n, LONG)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> queue.getManyAsync(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> queue.getManyUninterruptibly(n)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Select.getMany(queue, n, i -> i)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new BatchQueue<Integer>(null)).isInstanceOf(NullPointerException.class);
    assertThat(queue.size()).isZero();
    queue.putAll(List.of());
    assertThat(queue.size()).isZero();
    queue.put(1);
    assertThat(queue.toString()).matches("BatchQueue@[0-9a-f]+\\[1 stored]");
    queue.close();
    assertThat(queue.toString()).matches("BatchQueue@[0-9a-f]+\\[1 stored, closed]");
  }

  @Test
  void amongManyWhoGiveUpNothingIsLostOrStranded() {
    int rounds = kind == Worlds.STEPPED ? 12 : 400;
    // Where nobody moves the clock, those who wait for it would wait for ever.
    Duration soon = kind == Worlds.STEPPED ? Duration.ZERO : Duration.ofNanos(1_000);
    List<Integer> got = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger put = new AtomicInteger();
    AtomicInteger tasks = new AtomicInteger();
    together(
        6,
        () -> {
          int task = tasks.getAndIncrement();
          Random random = new Random(task);
          for (int i = 0; i < rounds; i++) {
            if (task % 2 == 0) {
              queue.putAll(random.ints(1 + random.nextInt(2)).map(any -> put.getAndIncrement()).boxed().toList());
              continue;
            }
            int n = 1 + random.nextInt(4);
            switch (random.nextInt(4)) {
              case 0 -> queue.tryGetMany(n).ifPresent(got::addAll);
              case 1 -> queue.tryGetMany(n, soon).ifPresent(got::addAll);
              case 2 -> {
                CompletableFuture<List<Integer>> future = queue.getManyAsync(n);
                if (!future.cancel(false)) {
                  got.addAll(future.join());
                }
              }
              default ->
                  Select.<Object>of(
                          Select.getMany(queue, n, got::addAll), Select.after(soon, () -> false))
                      .run();
            }
          }
        });
    assertThat(queue.waiting()).isZero();
    got.addAll(queue.closeAndDrain());
    assertThat(got.stream().sorted().toList()).isEqualTo(range(0, put.get()));
  }
}

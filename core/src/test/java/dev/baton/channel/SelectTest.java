// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.sync.ClosedException;
import dev.baton.sync.Event;
import dev.baton.sync.Guard;
import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.Promise;
import dev.baton.sync.Result;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Exactly one of several: which one, when there is none, and what becomes of the others. */
class SelectTest extends InEveryWorld {

  // ---- which one ----

  @Test
  void case110_biasedTakesTheFirstAndUnbiasedEachAboutAsOften() throws Exception {
    int runs = kind == Worlds.STEPPED ? 1_000 : 10_000;
    assertThat(chosen(runs, true, true, true)).containsExactly(runs, 0);
    assertThat(chosen(runs, false, true, true)).allSatisfy(n -> assertThat(n).isGreaterThan(runs / 4));
  }

  @Test
  void case110_eachOfThoseThatAreReadyHasTheSameChanceWhereverItStands() throws Exception {
    int runs = kind == Worlds.STEPPED ? 1_000 : 10_000;
    assertThat(chosen(runs, false, true, true, false, false, false)).satisfiesExactly(
        about(runs / 2), about(runs / 2), about(0), about(0), about(0));
    assertThat(chosen(runs, false, true, true, true, false, false, false, false)).satisfiesExactly(
        about(runs / 3), about(runs / 3), about(runs / 3), about(0), about(0), about(0), about(0));
    assertThat(chosen(runs, true, false, true, true)).containsExactly(0, runs, 0);
  }

  private static org.assertj.core.api.ThrowingConsumer<Integer> about(int expected) {
    return n -> assertThat(n).isBetween(expected * 4 / 5, expected * 6 / 5);
  }

  /** How often each of these is chosen, {@code ready} or not. */
  private static List<Integer> chosen(int runs, boolean biased, boolean... ready) throws Exception {
    List<Clause<Integer>> clauses = new ArrayList<>();
    for (int i = 0; i < ready.length; i++) {
      Event event = new Event();
      int index = i;
      clauses.add(Select.event(event, () -> index));
      if (ready[i]) {
        event.set();
      }
    }
    Select<Integer> select = biased ? Select.of(clauses).biased() : Select.of(clauses);
    int[] counts = new int[ready.length];
    for (int i = 0; i < runs; i++) {
      counts[select.run()]++;
    }
    return IntStream.of(counts).boxed().toList();
  }

  @Test
  void case109_theElementThatWasNotTakenIsStillThere() throws Exception {
    Channel<Integer> a = Channel.buffered(1);
    Channel<Integer> b = Channel.buffered(1);
    Select<String> select = Select.of(Select.receive(a, v -> "a" + v), Select.receive(b, v -> "b" + v));
    for (int i = 0; i < 50; i++) {
      a.send(i);
      b.send(i);
      String first = select.run();
      assertThat(a.size() + b.size()).isEqualTo(1);
      String second = select.run();
      assertThat(List.of(first, second)).containsExactlyInAnyOrder("a" + i, "b" + i);
    }
  }

  @Test
  void manyClausesAreNoProblem() throws Exception {
    List<Channel<Integer>> channels = IntStream.range(0, 100).mapToObj(i -> Channel.<Integer>buffered(1)).toList();
    Select<Integer> select = Select.of(channels.stream().map(c -> Select.<Integer, Integer>receive(c, v -> v)).toList());
    Actor<Integer> waiting = world().call("select", select::run);
    channels.get(73).send(73);
    assertThat(waiting.result()).isEqualTo(73);
    assertThat(channels).allSatisfy(c -> assertThat(c.waitingReceivers()).isZero());
    channels.get(99).send(99);
    assertThat(select.run()).isEqualTo(99);
  }

  // ---- meetings ----

  @Test
  void case123_twoSelectsThatFaceEachOtherPairUpOnce() {
    List<BiFunction<Channel<String>, Channel<String>, Select<String>>> sides =
        List.of(
            (a, b) -> Select.of(Select.send(a, "a", () -> "sent a"), Select.send(b, "b", () -> "sent b")),
            (a, b) -> Select.of(Select.receive(b, v -> "got " + v), Select.receive(a, v -> "got " + v)));
    for (int first = 0; first < 2; first++) {
      for (int round = 0; round < 10; round++) {
        Channel<String> a = Channel.rendezvous();
        Channel<String> b = Channel.rendezvous();
        Select<String> one = sides.get(first).apply(a, b);
        Select<String> two = sides.get(1 - first).apply(a, b);
        Actor<String> earlier = world().call("earlier", one::run);
        assertThat(earlier.isWaiting()).isTrue();
        Actor<String> later = world().call("later", two::run);
        String met = earlier.result().endsWith("a") ? "a" : "b";
        assertThat(List.of(earlier.result(), later.result())).containsExactlyInAnyOrder("sent " + met, "got " + met);
        assertThat(a.waitingSenders() + a.waitingReceivers() + b.waitingSenders() + b.waitingReceivers()).isZero();
      }
    }
  }

  @Test
  void case123_crowdsOfSelectsPairUpExactly() {
    int rounds = kind == Worlds.STEPPED ? 20 : 200;
    world().takeTurns();
    for (int round = 0; round < rounds; round++) {
      Channel<Integer> a = Channel.rendezvous();
      Channel<Integer> b = Channel.rendezvous();
      List<Integer> got = Collections.synchronizedList(new ArrayList<>());
      List<Integer> sent = Collections.synchronizedList(new ArrayList<>());
      List<Actor<Object>> all = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int value = i;
        Select<Boolean> send =
            Select.of(Select.send(a, value, () -> sent.add(value)), Select.send(b, value, () -> sent.add(value)));
        Select<Boolean> receive = Select.of(Select.receive(a, got::add), Select.receive(b, got::add));
        all.add(world().launch("send", send::run));
        all.add(world().launch("receive", receive::run));
      }
      all.forEach(Actor::result);
      assertThat(got).containsExactlyInAnyOrder(0, 1, 2);
      assertThat(sent).containsExactlyInAnyOrder(0, 1, 2);
      assertThat(a.waitingSenders() + a.waitingReceivers() + b.waitingSenders() + b.waitingReceivers()).isZero();
    }
  }

  @Test
  void aSelectNeverMeetsItself() throws Exception {
    Channel<String> channel = Channel.rendezvous();
    Select<String> both =
        Select.of(Select.send(channel, "mine", () -> "sent"), Select.receive(channel, v -> "got " + v));
    Actor<String> first = world().call("first", both::run);
    assertThat(first.isWaiting()).isTrue();
    assertThat(channel.waitingReceivers() + channel.waitingSenders()).isEqualTo(2);
    assertThat(channel.trySend("theirs").isOk()).isTrue();
    assertThat(first.result()).isEqualTo("got theirs");
    Actor<String> second = world().call("second", both::run);
    assertThat(channel.tryReceive().value()).contains("mine");
    assertThat(second.result()).isEqualTo("sent");
    Actor<String> third = world().call("third", both::run);
    Actor<String> fourth = world().call("fourth", both::run);
    assertThat(List.of(third.result(), fourth.result())).containsExactlyInAnyOrder("sent", "got mine");
    assertThat(channel.waitingReceivers() + channel.waitingSenders()).isZero();
  }

  @Test
  void severalClausesMayShareAChannel() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    Select<String> two =
        Select.of(Select.receive(channel, v -> "one " + v), Select.receive(channel, v -> "two " + v)).biased();
    Actor<String> waiting = world().call("select", two::run);
    assertThat(channel.waitingReceivers()).isEqualTo(2);
    channel.send(1);
    channel.send(2);
    assertThat(waiting.result()).isEqualTo("one 1");
    assertThat(channel.waitingReceivers()).isZero();
    assertThat(channel.receive()).isEqualTo(2);
  }

  @Test
  void selectsAndOthersStandInTheSameLine() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    Actor<Integer> first = world().call("first", channel::receive);
    Actor<Integer> second = world().call("second", () -> Select.of(Select.receive(channel, v -> v)).run());
    Actor<Integer> third = world().call("third", channel::receive);
    for (int i = 1; i <= 3; i++) {
      channel.send(i);
    }
    assertThat(List.of(first.result(), second.result(), third.result())).containsExactly(1, 2, 3);
    Semaphore semaphore = Semaphore.of(1);
    semaphore.acquire();
    Actor<String> select =
        world()
            .call(
                "select",
                () -> Select.of(Select.permit(semaphore, p -> { p.close(); return "select"; })).run());
    CompletableFuture<Permit> behind = semaphore.acquireAsync();
    semaphore.release();
    assertThat(select.result()).isEqualTo("select");
    behind.join().close();
    assertThat(semaphore.available()).isEqualTo(1);
  }

  // ---- what happens between trying and waiting ----

  @Test
  void whatBecomesReadyBeforeTheWaitIsTaken() throws Exception {
    for (Thing thing : Thing.all()) {
      Clause<String> clause = Meanwhile.before(thing.clause(), thing.makeReady());
      assertThat(world().call("select", () -> Select.of(clause).run()).result()).isEqualTo(thing.name());
      assertThat(thing.waiting().getAsInt()).as(thing.name()).isZero();
      assertThat(thing.atRest().getAsBoolean()).as(thing.name()).isTrue();
    }
  }

  @Test
  void oneThatIsServedMeanwhileTakesNothingFromTheOthersThoughTheyAreReady() throws Exception {
    int kinds = Thing.kinds();
    for (int i = 0; i < kinds; i++) {
      for (int j = 0; j < kinds; j++) {
        Thing first = Thing.of(i);
        Thing second = Thing.of(j);
        Clause<String> late =
            Meanwhile.before(
                second.clause(),
                () -> {
                  first.makeReady().run();
                  second.makeReady().run();
                });
        Actor<String> select = world().call("select", () -> Select.of(first.clause(), late).biased().run());
        assertThat(select.result()).isEqualTo(first.name());
        for (Thing thing : List.of(first, second)) {
          assertThat(thing.waiting().getAsInt()).as("%s before %s", first, second).isZero();
        }
        assertThat(first.atRest().getAsBoolean()).as("%s before %s", first, second).isTrue();
        String other = Select.of(second.clause(), Select.otherwise(() -> "gone")).run();
        assertThat(other).as("%s before %s", first, second).isEqualTo(second.name());
        assertThat(second.atRest().getAsBoolean()).as("%s before %s", first, second).isTrue();
      }
    }
  }

  // ---- the end ----

  @Test
  void channelsThatHaveEndedDropOut() throws Exception {
    Channel<Integer> a = Channel.buffered(1);
    Channel<Integer> b = Channel.buffered(1);
    Channel<Integer> out = Channel.buffered(1);
    Select<String> select =
        Select.of(
            Select.receive(a, v -> "a" + v), Select.receive(b, v -> "b" + v), Select.send(out, 1, () -> "out"));
    out.send(0);
    a.send(1);
    a.close();
    out.close();
    assertThat(select.run()).isEqualTo("a1");
    b.send(2);
    assertThat(select.run()).isEqualTo("b2");
    Actor<String> waiting = world().call("select", select::run);
    assertThat(waiting.isWaiting()).isTrue();
    b.send(3);
    assertThat(waiting.result()).isEqualTo("b3");
    b.close();
    assertThatThrownBy(select::run).isInstanceOf(ChannelClosedException.class).hasMessageContaining("Every channel");
    assertThat(Select.of(Select.receive(a, v -> "a"), Select.otherwise(() -> "otherwise")).run()).isEqualTo("otherwise");
  }

  @Test
  void channelsThatEndDuringTheWaitDropOutOneByOne() {
    Channel<Integer> a = Channel.rendezvous();
    Channel<Integer> b = Channel.buffered(1);
    b.trySend(0);
    Event never = new Event();
    Select<String> select = Select.of(Select.receive(a, v -> "a"), Select.send(b, 1, () -> "b"));
    Select<String> withEvent =
        Select.of(Select.receive(a, v -> "a"), Select.send(b, 1, () -> "b"), Select.event(never, () -> "event"));
    Actor<String> waiting = world().call("select", select::run);
    Actor<String> more = world().call("select with more", withEvent::run);
    a.close();
    world().settle();
    assertThat(waiting.isDone()).isFalse();
    b.close();
    assertThat(waiting.failure()).isInstanceOf(ChannelClosedException.class);
    world().settle();
    assertThat(more.isDone()).isFalse();
    never.set();
    assertThat(more.result()).isEqualTo("event");
    assertThat(b.size()).isEqualTo(1);
  }

  @Test
  void aDeadlineIsWaitedForThoughAllChannelsHaveEnded() {
    Channel<Integer> a = Channel.rendezvous();
    Select<String> select = Select.of(Select.receive(a, v -> "a"), Select.after(SHORT, () -> "time-out"));
    Actor<String> early = world().call("early", select::run);
    a.close();
    Actor<String> late = world().call("late", select::run);
    world().pass(SHORT);
    assertThat(early.result()).isEqualTo("time-out");
    assertThat(late.result()).isEqualTo("time-out");
  }

  @Test
  void aFailedChannelEndsTheSelect() throws Exception {
    IllegalStateException broken = new IllegalStateException("broken");
    Channel<Integer> in = Channel.rendezvous();
    Channel<Integer> out = Channel.rendezvous();
    Channel<Integer> other = Channel.rendezvous();
    Actor<String> receiver =
        world().call("receive", () -> Select.of(Select.receive(in, v -> "in"), Select.receive(other, v -> "other")).run());
    Actor<String> sender =
        world().call("send", () -> Select.of(Select.send(out, 1, () -> "out"), Select.receive(other, v -> "other")).run());
    in.fail(broken);
    out.fail(broken);
    assertThat(receiver.failure()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThat(sender.failure()).isInstanceOf(ChannelFailedException.class).hasCause(broken);
    assertThat(other.waitingReceivers()).isZero();
    assertThatThrownBy(() -> Select.of(Select.receive(in, v -> "in"), Select.receive(other, v -> "other")).run())
        .isInstanceOf(ChannelFailedException.class);
    assertThatThrownBy(() -> Select.of(Select.send(out, 1, () -> "out"), Select.otherwise(() -> "no")).run())
        .isInstanceOf(ChannelFailedException.class);
    Channel<Integer> full = Channel.buffered(1);
    full.send(7);
    full.fail(broken);
    assertThat(Select.of(Select.receive(full, v -> "got " + v)).run()).isEqualTo("got 7");
    assertThatThrownBy(() -> Select.of(Select.receive(full, v -> "got " + v)).run()).hasCause(broken);
  }

  @Test
  void aChannelThatEndsBeforeTheWaitDropsOut() throws Exception {
    for (boolean failing : new boolean[] {false, true}) {
      for (boolean sending : new boolean[] {false, true}) {
        Channel<String> channel = Channel.rendezvous();
        Clause<String> clause = sending ? Select.send(channel, "v", () -> "sent") : Select.receive(channel, v -> v);
        Clause<String> late =
            Meanwhile.before(clause, () -> { if (failing) channel.fail(new IllegalStateException()); else channel.close(); });
        assertThatThrownBy(() -> Select.of(late).run())
            .isInstanceOf(failing ? ChannelFailedException.class : ChannelClosedException.class);
      }
    }
  }

  // ---- permits and locks ----

  @Test
  void aSemaphoreThatIsClosedOrShrinksDuringTheWaitEndsTheSelect() throws Exception {
    Semaphore closed = Semaphore.of(2);
    Semaphore shrunk = Semaphore.of(2);
    closed.acquire(2);
    shrunk.acquire(2);
    Channel<Integer> other = Channel.rendezvous();
    Actor<String> first =
        world().call("first", () -> Select.of(Select.permits(closed, 2, p -> "p"), Select.receive(other, v -> "v")).run());
    Actor<String> second =
        world().call("second", () -> Select.of(Select.receive(other, v -> "v"), Select.permits(shrunk, 2, p -> "p")).run());
    closed.close();
    shrunk.resize(1);
    assertThat(first.failure()).isInstanceOf(ClosedException.class);
    assertThat(second.failure()).isInstanceOf(IllegalArgumentException.class);
    assertThat(other.waitingReceivers()).isZero();
    closed.release(2);
    shrunk.release(2);
    assertThat(shrunk.available()).isEqualTo(1);
    assertThat(closed.snapshot().held()).isZero();
    assertThatThrownBy(() -> Select.of(Select.permit(closed, p -> "p")).run()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> Select.of(Select.permits(shrunk, 2, p -> "p")).run()).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSemaphoreThatGrowsServesTheSelect() throws Exception {
    Semaphore semaphore = Semaphore.of(1);
    semaphore.acquire();
    Actor<Long> select = world().call("select", () -> Select.of(Select.permit(semaphore, Permit::count)).run());
    semaphore.resize(2);
    assertThat(select.result()).isEqualTo(1);
    assertThat(semaphore.snapshot().held()).isEqualTo(2);
  }

  @Test
  void aBigRequestThatIsWithdrawnLetsThoseBehindItGo() throws Exception {
    Semaphore semaphore = Semaphore.of(3);
    semaphore.acquire(2);
    Event other = new Event();
    Actor<String> big =
        world()
            .call("big", () -> Select.of(Select.permits(semaphore, 3, p -> "big"), Select.event(other, () -> "other")).run());
    CompletableFuture<Permit> behind = semaphore.acquireAsync();
    assertThat(behind).isNotDone();
    other.set();
    assertThat(big.result()).isEqualTo("other");
    assertThat(behind).isCompleted();
    assertThat(semaphore.snapshot().held()).isEqualTo(3);
  }

  @Test
  void badCountsAreRefused() {
    Semaphore semaphore = Semaphore.of(1);
    for (long bad : new long[] {0, -1, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException().isThrownBy(() -> Select.permits(semaphore, bad, p -> "p"));
    }
  }

  @Test
  void theLockBelongsToTheTaskThatSelects() throws Exception {
    Mutex mutex = new Mutex();
    Guard held = mutex.lockAsync().join();
    Actor<String> owner =
        world()
            .call(
                "owner",
                () ->
                    Select.of(
                            Select.lock(
                                mutex,
                                guard -> {
                                  assertThat(mutex.isHeldByCurrentThread()).isTrue();
                                  mutex.unlock();
                                  assertThat(mutex.isLocked()).isFalse();
                                  guard.close();
                                  return "unlocked";
                                }))
                        .run());
    held.close();
    assertThat(owner.result()).isEqualTo("unlocked");
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void whoeverHoldsTheLockAlreadyIsToldAndStandsInNoLine() {
    Mutex mutex = new Mutex();
    Channel<Integer> channel = Channel.rendezvous();
    Actor<Void> holder =
        world()
            .start(
                "holder",
                () ->
                    mutex.withLock(
                        () -> {
                          for (int i = 0; i < 5; i++) {
                            assertThatThrownBy(
                                    () -> Select.of(Select.receive(channel, v -> "v"), Select.lock(mutex, g -> "g")).run())
                                .isInstanceOf(IllegalMonitorStateException.class)
                                .hasMessageContaining("whatever the others bring");
                          }
                          assertThat(channel.waitingReceivers()).isZero();
                          assertThat(mutex.waiting()).isZero();
                        }));
    holder.result();
    assertThat(mutex.isLocked()).isFalse();
  }

  @Test
  void aReaderThatSelectsDoesNotOvertakeAWriter() throws Exception {
    RwLock lock = new RwLock();
    Guard reading = lock.readLock().lockAsync().join();
    CompletableFuture<?> writer = lock.writeLock().lockAsync();
    Event other = new Event();
    Actor<String> select =
        world()
            .call(
                "select",
                () ->
                    Select.of(
                            Select.lock(lock.readLock(), guard -> { guard.close(); return "read"; }),
                            Select.lock(lock.writeLock(), guard -> { guard.close(); return "write"; }),
                            Select.event(other, () -> "event"))
                        .biased()
                        .run());
    assertThat(select.isWaiting()).isTrue();
    assertThat(lock.waiting()).isEqualTo(3);
    reading.close();
    assertThat(writer).isCompleted();
    world().settle();
    assertThat(select.isDone()).isFalse();
    ((Guard) writer.join()).close();
    assertThat(select.result()).isEqualTo("read");
    assertThat(lock.waiting()).isZero();
    assertThat(lock.readerCount()).isZero();
    assertThat(lock.isWriteLocked()).isFalse();
  }

  // ---- tasks, promises, stages ----

  @Test
  void theOutcomeOfATaskOrAPromiseIsTold() throws Exception {
    Promise<String> promise = new Promise<>();
    IllegalStateException broken = new IllegalStateException("broken");
    Actor<Result<String>> waiting =
        world().call("select", () -> Select.of(Select.done(promise.future(), (Result<String> r) -> r)).run());
    promise.fail(broken);
    assertThat(waiting.result()).isEqualTo(new Result.Err<>(broken));
    Actor<Object> scoped =
        world()
            .call(
                "scope",
                () -> {
                  try (Scope scope = Scope.open()) {
                    Channel<String> channel = Channel.rendezvous();
                    Task<String> task = scope.fork(() -> channel.receive() + "!");
                    Task<Object> never = scope.fork(() -> Channel.rendezvous().receive());
                    channel.send("hello");
                    Object result =
                        Select.<Object>of(Select.done(task, r -> r), Select.done(never, r -> "never")).run();
                    never.cancel();
                    return result;
                  }
                });
    assertThat(scoped.result()).isEqualTo(new Result.Ok<>("hello!"));
  }

  @Test
  void aStageThatFailsOrIsCancelledTellsItsError() throws Exception {
    IllegalStateException broken = new IllegalStateException("broken");
    CompletableFuture<String> failed = new CompletableFuture<>();
    CompletableFuture<String> dependent = failed.thenApply(v -> v);
    Actor<Result<String>> waiting =
        world().call("select", () -> Select.of(Select.stage(dependent, (Result<String> r) -> r)).run());
    failed.completeExceptionally(broken);
    assertThat(waiting.result()).isEqualTo(new Result.Err<>(broken));
    assertThat(Select.of(Select.stage(dependent.minimalCompletionStage(), (Result<String> r) -> r)).run())
        .isEqualTo(new Result.Err<>(broken));
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    Actor<Result<String>> other =
        world().call("select", () -> Select.of(Select.stage(cancelled, (Result<String> r) -> r)).run());
    cancelled.cancel(true);
    assertThat(((Result.Err<String>) other.result()).error()).isInstanceOf(CancellationException.class);
    assertThat(Select.of(Select.stage(CompletableFuture.completedStage("now"), r -> r)).run()).isEqualTo(new Result.Ok<>("now"));
    assertThat(Select.of(Select.stage(CompletableFuture.completedFuture(null), r -> r)).run()).isEqualTo(new Result.Ok<>(null));
  }

  @Test
  void aFutureThatOutlivesManySelectsKeepsNothingOfThem() throws Exception {
    CompletableFuture<String> stop = new CompletableFuture<>();
    Channel<Integer> channel = Channel.rendezvous();
    int runs = kind == Worlds.STEPPED ? 100 : 1_000;
    Actor<Integer> loop =
        world()
            .launch(
                "loop",
                () -> {
                  int sum = 0;
                  for (int i = 0; i < runs; i++) {
                    // The clause is made anew each time.
                    sum += Select.of(Select.receive(channel, v -> v), Select.stage(stop, r -> 0)).run();
                  }
                  return sum;
                });
    for (int i = 0; i < runs; i++) {
      channel.sendAsync(1);
    }
    assertThat(loop.result()).isEqualTo(runs);
    assertThat(stop.getNumberOfDependents()).isZero();
  }

  // ---- what to send ----

  @Test
  void whatToSendIsAskedOnlyWhenItCouldBeSent() throws Exception {
    Channel<Integer> channel = Channel.buffered(1);
    AtomicInteger asked = new AtomicInteger();
    Event set = new Event();
    Select<String> select =
        Select.of(
                Select.event(set, () -> "event"),
                Select.sendNext(channel, asked::incrementAndGet, () -> "sent"),
                Select.otherwise(() -> "otherwise"))
            .biased();
    assertThat(select.run()).isEqualTo("sent");
    assertThat(channel.receive()).isEqualTo(1);
    set.set();
    assertThat(select.run()).isEqualTo("event");
    assertThat(asked).hasValue(1);
    channel.close();
    Select<String> ended = Select.of(Select.sendNext(channel, asked::incrementAndGet, () -> "sent"));
    assertThatThrownBy(ended::run).isInstanceOf(ChannelClosedException.class);
    Event later = new Event();
    Actor<String> waiting =
        world()
            .call(
                "select",
                () ->
                    Select.of(
                            Select.sendNext(channel, asked::incrementAndGet, () -> "sent"), Select.event(later, () -> "later"))
                        .run());
    later.set();
    assertThat(waiting.result()).isEqualTo("later");
    assertThat(asked).hasValue(1);
  }

  @Test
  void whatToSendIsAskedOnceToTryAndOnceToWait() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    AtomicInteger asked = new AtomicInteger();
    Actor<String> waiting =
        world().call("select", () -> Select.of(Select.sendNext(channel, asked::incrementAndGet, () -> "sent")).run());
    assertThat(asked).hasValue(2);
    assertThat(channel.receive()).isEqualTo(2);
    assertThat(waiting.result()).isEqualTo("sent");
    assertThat(asked).hasValue(2);
  }

  @Test
  void asSupplierThatThrowsOrHasNothingEndsTheSelectAndNothingWasTaken() throws Exception {
    for (int failing = 1; failing <= 2; failing++) {
      for (boolean throwing : new boolean[] {true, false}) {
        int when = failing;
        AtomicInteger asked = new AtomicInteger();
        Channel<Integer> out = Channel.rendezvous();
        Channel<Integer> in = Channel.rendezvous();
        Select<String> select =
            Select.of(
                Select.receive(in, v -> "in"),
                Select.sendNext(
                    out,
                    () -> {
                      if (asked.incrementAndGet() < when) {
                        return 1;
                      }
                      if (throwing) {
                        throw new IllegalStateException("nothing to send");
                      }
                      return null;
                    },
                    () -> "out"));
        if (throwing) {
          assertThatThrownBy(select::run).hasMessage("nothing to send");
        } else {
          assertThatNullPointerException().isThrownBy(select::run).withMessage("value");
        }
        assertThat(in.waitingReceivers() + out.waitingSenders()).isZero();
      }
    }
  }

  // ---- actions ----

  @Test
  void anActionThatThrowsLeavesTheOthersAlone() throws Exception {
    Channel<Integer> channel = Channel.rendezvous();
    Mutex mutex = new Mutex();
    Guard held = mutex.lockAsync().join();
    Actor<String> select =
        world()
            .call(
                "select",
                () ->
                    Select.<String>of(
                            Select.receive(channel, v -> { throw new IllegalStateException("action " + v); }),
                            Select.lock(mutex, g -> "lock"))
                        .run());
    channel.send(1);
    assertThat(select.failure()).isInstanceOf(IllegalStateException.class).hasMessage("action 1");
    assertThat(mutex.waiting()).isZero();
    held.close();
    assertThat(mutex.tryLock()).isTrue();
    mutex.unlock();
    assertThatThrownBy(
            () -> Select.<String>of(Select.otherwise(() -> { throw new IllegalStateException("otherwise"); })).run())
        .hasMessage("otherwise");
  }

  @Test
  void aTimeOutActionThatThrowsEndsTheSelect() {
    Channel<Integer> channel = Channel.rendezvous();
    Actor<String> select =
        world()
            .call(
                "select",
                () ->
                    Select.<String>of(
                            Select.receive(channel, v -> "v"),
                            Select.after(SHORT, () -> { throw new IllegalStateException("too late"); }))
                        .run());
    world().pass(SHORT);
    assertThat(select.failure()).hasMessage("too late");
    assertThat(channel.waitingReceivers()).isZero();
  }

  @Test
  void anActionMaySelectAgain() throws Exception {
    Channel<Integer> channel = Channel.buffered(2);
    channel.send(1);
    channel.send(2);
    Clause<Integer> receive = Select.receive(channel, v -> v);
    Select<Integer> inner = Select.of(receive);
    Select<Integer> outer =
        Select.of(
            Select.receive(
                channel,
                v -> {
                  try {
                    return v * 10 + inner.run();
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }));
    assertThat(outer.run()).isEqualTo(12);
  }

  @Test
  void oneSelectMayBeRunByManyAtOnce() {
    int each = kind == Worlds.STEPPED ? 10 : 300;
    Channel<Integer> a = Channel.rendezvous();
    Channel<Integer> b = Channel.buffered(2);
    List<Integer> got = Collections.synchronizedList(new ArrayList<>());
    Select<Boolean> select = Select.of(Select.receive(a, got::add), Select.receive(b, got::add));
    world().takeTurns();
    List<Actor<Object>> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(
          world()
              .launch(
                  "select",
                  () -> {
                    for (int k = 0; k < each; k++) {
                      select.run();
                    }
                    return null;
                  }));
    }
    for (int i = 0; i < 3; i++) {
      int first = i * each;
      Channel<Integer> channel = i == 0 ? a : b;
      all.add(
          world()
              .launch(
                  "send",
                  () -> {
                    for (int k = 0; k < each; k++) {
                      channel.send(first + k);
                    }
                    return null;
                  }));
    }
    all.forEach(Actor::result);
    assertThat(got).hasSize(3 * each).doesNotHaveDuplicates();
    assertThat(a.waitingReceivers() + b.waitingReceivers()).isZero();
  }

  // ---- time, and nothing at all ----

  @Test
  void ofSeveralTimesTheShortestCounts() throws Exception {
    Actor<String> select =
        world().call("select", () -> Select.of(Select.after(LONG, () -> "long"), Select.after(SHORT, () -> "short")).run());
    world().pass(SHORT);
    assertThat(select.result()).isEqualTo("short");
    assertThat(Select.of(Select.after(Duration.ofSeconds(-1), () -> "past"), Select.after(LONG, () -> "long")).run())
        .isEqualTo("past");
    assertThat(Select.of(Select.after(LONG, () -> "long"), Select.otherwise(() -> "otherwise")).run()).isEqualTo("otherwise");
  }

  @Test
  @SuppressWarnings("NullAway") // that is the test
  void nonsenseIsRefused() {
    Channel<String> channel = Channel.rendezvous();
    assertThatIllegalArgumentException().isThrownBy(() -> Select.of()).withMessageContaining("at least one");
    assertThatIllegalArgumentException().isThrownBy(() -> Select.of(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Select.of(Select.otherwise(() -> 1), Select.otherwise(() -> 2)))
        .withMessageContaining("not several");
    assertThatNullPointerException().isThrownBy(() -> Select.receive(null, v -> v)).withMessage("channel");
    assertThatNullPointerException().isThrownBy(() -> Select.receive(channel, null)).withMessage("action");
    assertThatNullPointerException().isThrownBy(() -> Select.send(channel, null, () -> "sent")).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> Select.sendNext(channel, null, () -> "sent")).withMessage("value");
    assertThatNullPointerException().isThrownBy(() -> Select.send(channel, "v", null)).withMessage("action");
    assertThatNullPointerException().isThrownBy(() -> Select.stage(null, r -> r)).withMessage("stage");
    assertThatNullPointerException().isThrownBy(() -> Select.event(null, () -> 1)).withMessage("event");
    assertThatNullPointerException().isThrownBy(() -> Select.done(null, r -> r)).withMessage("waitable");
    assertThatNullPointerException().isThrownBy(() -> Select.permit(null, r -> r)).withMessage("semaphore");
    assertThatNullPointerException().isThrownBy(() -> Select.lock((Mutex) null, r -> r)).withMessage("lock");
    assertThatNullPointerException().isThrownBy(() -> Select.of((Clause<String>) null)).withMessage("clause");
    assertThat(Select.of(Select.otherwise(() -> 1))).hasToString("Select[0 clauses]");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.World;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class WatchTest extends InEveryWorld {
  private final Watch<Integer> watch = Watch.of(0);
  private final Watcher<Integer> watcher = watch.subscribe();

  // ---- what was seen ----

  @Test
  void case106_theInitialValueCountsAsSeen() throws Exception {
    assertThat(watch.get()).isZero();
    assertThat(watcher.get()).isZero();
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Empty<>());
    assertThat(watcher.tryChanged(Duration.ZERO)).isEqualTo(new Received.Empty<>());
    Actor<Integer> waiting = world().call("waiting", watcher::changed);
    assertThat(watch.waiting()).isEqualTo(1);
    watch.set(1);
    assertThat(waiting.result()).isEqualTo(1);
    // So does the value of the moment for whoever comes later.
    assertThat(watch.subscribe().tryChanged()).isEqualTo(new Received.Empty<>());
  }

  @Test
  void case106_theLastValueIsThereAfterTheEndAndThenChangedFails() throws Exception {
    Watcher<Integer> other = watch.subscribe();
    watch.set(1);
    watch.set(2);
    watch.close();
    watch.close();
    assertThat(watch.isClosed()).isTrue();
    assertThat(watch.get()).isEqualTo(2);
    assertThat(watcher.get()).isEqualTo(2);
    assertThat(watcher.changed()).isEqualTo(2);
    assertThatThrownBy(watcher::changed).isInstanceOf(ChannelClosedException.class).hasMessageContaining("last value was seen");
    assertThatThrownBy(watcher::changedUninterruptibly).isInstanceOf(ChannelClosedException.class);
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Closed<>());
    assertThat(watcher.tryChanged(LONG)).isEqualTo(new Received.Closed<>());
    assertThat(watcher.changedAsync().exceptionNow()).isInstanceOf(ChannelClosedException.class);
    assertThat(watcher.changedAsync(Duration.ZERO).exceptionNow()).isInstanceOf(ChannelClosedException.class);
    assertThat(watcher.get()).isEqualTo(2);
    assertThat(other.changedAsync().resultNow()).isEqualTo(2);
    Watcher<Integer> late = watch.subscribe();
    assertThat(late.get()).isEqualTo(2);
    assertThat(late.tryChanged()).isEqualTo(new Received.Closed<>());
    assertThat(late.waitFor(value -> value == 2)).isEqualTo(2);
  }

  @Test
  void ofValuesThatNobodyWaitedForTheLastIsSeen() throws Exception {
    for (int value = 1; value <= 5; value++) {
      watch.set(value);
    }
    assertThat(watcher.get()).isEqualTo(5);
    assertThat(watcher.changed()).isEqualTo(5);
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Empty<>());
    // An equal value is a new one.
    watch.set(5);
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Value<>(5));
  }

  @Test
  void allWhoWaitAreGivenTheValueAndEachWatcherSeesForItself() {
    Watcher<Integer> other = watch.subscribe();
    List<Actor<Integer>> waiting = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      waiting.add(world().call("waiting " + i, i < 2 ? watcher::changed : other::changed));
    }
    Watcher<Integer> idle = watch.subscribe();
    watch.set(1);
    waiting.forEach(actor -> assertThat(actor.result()).isEqualTo(1));
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Empty<>());
    assertThat(other.tryChanged()).isEqualTo(new Received.Empty<>());
    assertThat(idle.tryChanged()).isEqualTo(new Received.Value<>(1));
  }

  @Test
  void aWatcherThatGoesOnSeesTheLastValueAndNeverAnOlderOneAgain() {
    List<Integer> seen = new ArrayList<>();
    int[] tasks = new int[1];
    together(
        2,
        () -> {
          boolean first;
          synchronized (tasks) {
            first = tasks[0]++ == 0;
          }
          if (first) {
            for (int value = 1; value <= 20; value++) {
              watch.set(value);
            }
            watch.close();
          } else {
            Received<Integer> next = watcher.tryChanged(LONG);
            while (next instanceof Received.Value<Integer>(Integer value)) {
              seen.add(value);
              next = watcher.tryChanged(LONG);
            }
          }
        });
    assertThat(seen).isNotEmpty().isSorted().doesNotHaveDuplicates().endsWith(20);
  }

  // ---- updating ----

  @Test
  void updatesLoseNothingOfEachOther() {
    together(
        4,
        () -> {
          for (int i = 0; i < 25; i++) {
            // Reading it is a place where somebody else may go first.
            watch.update(value -> value + (watch.isClosed() ? 0 : 1));
          }
        });
    assertThat(watch.get()).isEqualTo(100);
  }

  @Test
  void anUpdateIsGivenToThoseWhoWait() {
    Actor<Integer> waiting = world().call("waiting", watcher::changed);
    assertThat(watch.update(value -> value + 5)).isEqualTo(5);
    assertThat(waiting.result()).isEqualTo(5);
    assertThat(watch.get()).isEqualTo(5);
  }

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void case107_aModifierThatFailsTellsNobodyAndSpoilsNothing() {
    Actor<Integer> waiting = world().call("waiting", watcher::changed);
    IllegalStateException failure = new IllegalStateException("on purpose");
    assertThatThrownBy(
            () ->
                watch.update(
                    value -> {
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThatThrownBy(() -> watch.update(value -> null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("nothing has changed");
    world().settle();
    assertThat(waiting.isDone()).isFalse();
    assertThat(watch.waiting()).isEqualTo(1);
    assertThat(watch.get()).isZero();
    assertThat(watch.update(value -> value + 1)).isEqualTo(1);
    assertThat(waiting.result()).isEqualTo(1);
  }

  @Test
  void aModifierMayUseTheWatchItself() {
    assertThat(
            watch.update(
                value -> {
                  if (value == 0) {
                    watch.set(10);
                  }
                  return value + watch.get();
                }))
        // Asked again after the change it made itself.
        .isEqualTo(20);
  }

  @Test
  void nothingIsSetAfterTheEnd() {
    watch.close();
    assertThatThrownBy(() -> watch.set(1)).isInstanceOf(ChannelClosedException.class).hasMessageContaining("keeps the last");
    assertThatThrownBy(() -> watch.update(value -> value + 1)).isInstanceOf(ChannelClosedException.class);
    assertThat(watch.get()).isZero();
    Watch<Integer> closing = Watch.of(0);
    assertThatThrownBy(
            () ->
                closing.update(
                    value -> {
                      closing.close();
                      return value + 1;
                    }))
        .isInstanceOf(ChannelClosedException.class);
    assertThat(closing.get()).isZero();
  }

  // ---- conditions ----

  @Test
  void case108_waitForReturnsTheValueThatSatisfiedIt() throws Exception {
    assertThat(watcher.waitFor(value -> value == 0)).isZero();
    Actor<Integer> waiting = world().call("waiting", () -> watcher.waitFor(value -> value >= 3));
    for (int value = 1; value <= 2; value++) {
      watch.set(value);
      world().settle();
      assertThat(waiting.isDone()).isFalse();
    }
    watch.set(7);
    assertThat(waiting.result()).isEqualTo(7);
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Empty<>());
  }

  @Test
  void case108_whatWaitForReturnsSatisfiedItHoweverQuicklyValuesChange() {
    int[] tasks = new int[1];
    List<Integer> found = new ArrayList<>();
    together(
        3,
        () -> {
          int task;
          synchronized (tasks) {
            task = tasks[0]++;
          }
          if (task == 0) {
            for (int value = 1; value <= 30; value++) {
              watch.set(value);
            }
            // Whoever came too late for all before is satisfied now.
            watch.set(40);
          } else {
            int value = watch.subscribe().waitFor(it -> it > 0 && it % 10 == 0);
            synchronized (found) {
              found.add(value);
            }
          }
        });
    assertThat(found).hasSize(2).allMatch(value -> value > 0 && value % 10 == 0);
  }

  @Test
  void aValueThatWasSeenSatisfiesToo() throws Exception {
    watch.set(1);
    watcher.changed();
    assertThat(watcher.waitFor(value -> value == 1)).isEqualTo(1);
    watch.set(2);
    assertThat(watcher.waitFor(value -> value == 2)).isEqualTo(2);
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Empty<>());
  }

  @Test
  void severalConditionsAtOneWatcherDoNotStealFromEachOther() {
    List<Actor<Integer>> waiting = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      int wanted = i;
      waiting.add(world().call("waits for " + i, () -> watcher.waitFor(value -> value >= wanted)));
    }
    watch.set(1);
    assertThat(waiting.get(0).result()).isEqualTo(1);
    world().settle();
    watch.set(3);
    assertThat(waiting.get(1).result()).isEqualTo(3);
    assertThat(waiting.get(2).result()).isEqualTo(3);
  }

  @Test
  void aConditionThatThrowsEndsItsOwnWaitOnly() throws Exception {
    Actor<Integer> throwing =
        world()
            .call(
                "throwing",
                () ->
                    watcher.waitFor(
                        value -> {
                          if (value == 0) {
                            return false;
                          }
                          throw new UnsupportedOperationException("on purpose");
                        }));
    watch.set(1);
    assertThat(throwing.failure()).isInstanceOf(UnsupportedOperationException.class);
    // It has seen nothing.
    assertThat(watcher.changed()).isEqualTo(1);
  }

  @Test
  void aConditionThatCannotComeTrueAnyMoreFails() throws Exception {
    Actor<Integer> waiting = world().call("waiting", () -> watcher.waitFor(value -> value > 10));
    Actor<Received<Integer>> timed = world().call("timed", () -> watcher.tryWaitFor(value -> value > 10, LONG));
    watch.set(1);
    watch.close();
    assertThat(waiting.failure()).isInstanceOf(ChannelClosedException.class).hasMessageContaining("does not satisfy");
    assertThat(timed.result()).isEqualTo(new Received.Closed<>());
    // Also for one who would not have waited.
    assertThat(watcher.tryWaitFor(value -> value > 10, Duration.ZERO)).isEqualTo(new Received.Closed<>());
    assertThat(watcher.changed()).isEqualTo(1);
  }

  @Test
  void anInterruptEndsAWaitForWhichValuesComeFasterThanItLooks() {
    Actor<Integer> waiting =
        world()
            .call(
                "waiting",
                () ->
                    watcher.waitFor(
                        value -> {
                          watch.set(value + 1);
                          Thread.currentThread().interrupt();
                          return value == 100;
                        }));
    assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    // It has seen nothing.
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Value<>(1));
  }

  @Test
  void aConditionIsWaitedForAsLongAsItWasSaid() throws Exception {
    assertThat(watcher.tryWaitFor(value -> value == 0, Duration.ZERO)).isEqualTo(new Received.Value<>(0));
    assertThat(watcher.tryWaitFor(value -> value > 0, Duration.ZERO)).isEqualTo(new Received.Empty<>());
    Actor<Received<Integer>> waiting = world().call("waiting", () -> watcher.tryWaitFor(value -> value > 1, SHORT));
    watch.set(1);
    world().pass(SHORT);
    assertThat(waiting.result()).isEqualTo(new Received.Empty<>());
    assertThat(watch.waiting()).isZero();
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Value<>(1));
    assertThat(watcher.tryWaitFor(value -> value == 1, Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(new Received.Value<>(1));
  }

  // ---- cancellation ----

  @Test
  void aWaitThatEndsEarlyHasSeenNothing() throws Exception {
    Actor<Integer> interrupted = world().call("interrupted", watcher::changed);
    Actor<Integer> condition = world().call("condition", () -> watcher.waitFor(value -> value > 0));
    CompletableFuture<Integer> cancelled = watcher.changedAsync();
    assertThat(watch.waiting()).isEqualTo(3);
    Actor<Received<Integer>> timed = world().call("timed", () -> watcher.tryChanged(SHORT));
    interrupted.interrupt();
    condition.interrupt();
    assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
    assertThat(condition.failure()).isInstanceOf(InterruptedException.class);
    world().pass(SHORT);
    assertThat(timed.result()).isEqualTo(new Received.Empty<>());
    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(watch.waiting()).isZero();
    watch.set(1);
    assertThat(watcher.changed()).isEqualTo(1);
  }

  @Test
  void deliveryWinsOverAnInterruptThatComesLater() {
    Actor<Integer> waiting = world().call("waiting", watcher::changed);
    watch.set(1);
    waiting.interrupt();
    assertThat(waiting.result()).isEqualTo(1);
    if (kind == Worlds.STEPPED) {
      // On threads it may have ended before.
      assertThat(waiting.endedInterrupted()).isTrue();
    }
  }

  @Test
  void anInterruptThatMeetsAValueLosesNothing() {
    List<Integer> seen = new ArrayList<>();
    Actor<Void> waiting = world().start("waiting", () -> seen.add(watcher.changed()));
    waiting.interrupt();
    watch.set(1);
    Eventually.holds(world(), waiting::isDone);
    watcher.tryChanged().value().ifPresent(seen::add);
    assertThat(seen).containsExactly(1);
  }

  @Test
  void anUninterruptibleWaitGoesOnAndKeepsTheInterrupt() {
    Actor<Integer> waiting = world().call("waiting", watcher::changedUninterruptibly);
    waiting.interrupt();
    world().settle();
    assertThat(watch.waiting()).isEqualTo(1);
    watch.set(1);
    assertThat(waiting.result()).isEqualTo(1);
    assertThat(waiting.endedInterrupted()).isTrue();
  }

  @Test
  void anInterruptedCallerSeesNothing() throws Exception {
    watch.set(1);
    List<World.Step> calls =
        List.of(
            watcher::changed,
            () -> watcher.tryChanged(LONG),
            () -> watcher.waitFor(value -> true),
            () -> watcher.tryWaitFor(value -> true, LONG));
    for (World.Step call : calls) {
      Actor<Void> caller =
          world()
              .start(
                  "interrupted",
                  () -> {
                    Thread.currentThread().interrupt();
                    call.run();
                  });
      assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
    }
    assertThat(watcher.changed()).isEqualTo(1);
  }

  @Test
  void aFutureWaitsTimesOutAndCannotBeCancelledOnceGiven() {
    CompletableFuture<Integer> future = watcher.changedAsync();
    watch.set(1);
    assertThat(future.cancel(false)).isFalse();
    assertThat(future.resultNow()).isEqualTo(1);
    assertThat(watcher.changedAsync(Duration.ZERO).exceptionNow()).isInstanceOf(TimeoutException.class);
    Actor<Throwable> asker =
        world()
            .call(
                "asker",
                () -> {
                  CompletableFuture<Integer> late = watcher.changedAsync(SHORT);
                  Event ended = new Event();
                  late.whenComplete((value, failure) -> ended.set());
                  ended.await();
                  return late.exceptionNow();
                });
    world().pass(SHORT);
    assertThat(asker.result()).isInstanceOf(TimeoutException.class);
    assertThat(watch.waiting()).isZero();
    watch.set(2);
    assertThat(watcher.changedAsync(Duration.ZERO).resultNow()).isEqualTo(2);
  }

  @Test
  void closingEndsTheWaits() {
    Actor<Integer> waiting = world().call("waiting", watcher::changed);
    CompletableFuture<Integer> future = watcher.changedAsync();
    Actor<Received<Integer>> timed = world().call("timed", () -> watcher.tryChanged(LONG));
    watch.close();
    assertThat(waiting.failure()).isInstanceOf(ChannelClosedException.class);
    assertThat(future.exceptionNow()).isInstanceOf(ChannelClosedException.class);
    assertThat(timed.result()).isEqualTo(new Received.Closed<>());
    assertThat(watch.waiting()).isZero();
  }

  // ---- what is refused ----

  @Test
  @SuppressWarnings("NullAway") // callers without null checks exist
  void badInputIsRefusedAndChangesNothing() {
    assertThatThrownBy(() -> Watch.of(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> watch.set(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> watch.update(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> watcher.tryChanged(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> watcher.changedAsync(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> watcher.waitFor(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> watcher.tryWaitFor(null, LONG)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> watcher.tryWaitFor(value -> true, null)).isInstanceOf(NullPointerException.class);
    assertThat(watch.get()).isZero();
    assertThat(watch.waiting()).isZero();
    assertThat(watcher.tryChanged()).isEqualTo(new Received.Empty<>());
  }

  @Test
  void itSaysHowItStands() {
    assertThat(watch.toString()).contains("[0 waiting]");
    assertThat(watcher.toString()).contains("[nothing new]");
    watch.set(1);
    watch.close();
    assertThat(watch.toString()).contains("[closed]");
    assertThat(watcher.toString()).contains("[something new, closed]");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Channel;
import dev.baton.channel.Select;
import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Waitable;
import dev.baton.world.Actor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class IdlerTest extends InEveryWorld {
  private final Idler idler = new Idler();

  @Test
  void pattern21_busyIdleAndBusyAgainBeforeTheWaiterRunsStillReleasesIt() {
    world().start("busy", () -> idler.setBusy(true)).result();
    List<Actor<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiters.add(world().start("waiter " + i, idler::awaitIdle));
    }
    assertThat(waiters).noneMatch(Actor::isDone);
    world()
        .start(
            "to and fro",
            () -> {
              idler.setBusy(false);
              idler.setBusy(true);
            })
        .result();
    waiters.forEach(Actor::result);
    assertThat(idler.isBusy()).isTrue();
  }

  @Test
  void pattern21_whoeverWaitsWhileIdleReturnsAtOnce() {
    Actor<Boolean> waiter =
        world()
            .call(
                "waiter",
                () -> {
                  idler.awaitIdle();
                  idler.awaitIdleUninterruptibly();
                  return idler.awaitIdle(Duration.ZERO) && idler.idle().isDone();
                });
    assertThat(waiter.result()).isTrue();
  }

  @Test
  void pattern21_aWaitCanBeCancelledAndTheOthersGoOn() {
    world().start("busy", () -> idler.setBusy(true)).result();
    Actor<Void> cancelled = world().start("cancelled", idler::awaitIdle);
    Actor<Void> patient = world().start("patient", idler::awaitIdle);
    cancelled.interrupt();
    assertThat(cancelled.failure()).isInstanceOf(InterruptedException.class);
    assertThat(cancelled.endedInterrupted()).isFalse();
    assertThat(patient.isDone()).isFalse();
    world().start("idle", () -> idler.setBusy(false)).result();
    patient.result();
  }

  @Test
  void aWaitEndsInTimeAndTheNextPeriodIsAnother() {
    world().start("busy", () -> idler.setBusy(true)).result();
    Actor<Boolean> timed = world().call("timed", () -> idler.awaitIdle(SHORT));
    world().pass(SHORT.multipliedBy(2));
    assertThat(timed.result()).isFalse();
    Actor<Waitable<?>> period = world().call("period", idler::idle);
    world().start("idle and busy", () -> idler.setBusy(false)).result();
    world().start("busy again", () -> idler.setBusy(true)).result();
    assertThat(world().call("old", () -> period.result().isDone()).result()).isTrue();
    assertThat(world().call("new", () -> idler.idle().isDone()).result()).isFalse();
    assertThat(world().call("look", () -> idler.awaitIdle(Duration.ZERO)).result()).isFalse();
  }

  @Test
  void onlyAChangeIsAChange() {
    Actor<Void> all =
        world()
            .start(
                "all",
                () -> {
                  assertThat(idler.setBusy(false)).isFalse();
                  assertThat(idler.setBusy(true)).isTrue();
                  assertThat(idler.setBusy(true)).isFalse();
                  assertThat(idler.isBusy()).isTrue();
                  assertThat(idler.setBusy(false)).isTrue();
                  assertThat(idler.setBusy(false)).isFalse();
                  assertThat(idler.isBusy()).isFalse();
                  assertThat(idler).asString().contains("idle");
                });
    all.result();
  }

  @Test
  void idlenessCanBeSelectedAndWaitedForAsAFuture() {
    Channel<String> orders = Channel.buffered(1);
    world().start("busy", () -> idler.setBusy(true)).result();
    Actor<String> selecting =
        world()
            .call(
                "select",
                () ->
                    Select.<String>of(
                            Select.receive(orders, order -> order), Select.done(idler.idle(), end -> "idle"))
                        .run());
    Actor<CompletableFuture<?>> future = world().call("future", () -> idler.idle().toCompletableFuture());
    assertThat(future.result().isDone()).isFalse();
    world().start("idle", () -> idler.setBusy(false)).result();
    assertThat(selecting.result()).isEqualTo("idle");
    assertThat(future.result().isDone()).isTrue();
  }

  @Test
  void nobodyIsStrandedHoweverOftenItChanges() {
    AtomicInteger turn = new AtomicInteger();
    together(
        4,
        () -> {
          boolean changes = turn.getAndIncrement() == 0;
          for (int i = 0; i < 20; i++) {
            if (changes) {
              idler.setBusy(true);
              idler.setBusy(false);
            } else {
              idler.awaitIdle();
            }
          }
        });
    assertThat(idler.isBusy()).isFalse();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import dev.baton.world.Worlds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each kind of thing that can be selected: ready at once, waited for, given up, lost to another, and found as it was. */
class SelectEveryKindTest extends InEveryWorld {

  @Test
  void whatIsReadyIsTakenAtOnce() throws Exception {
    for (Thing thing : Thing.all()) {
      thing.makeReady().run();
      assertThat(Select.of(thing.clause(), otherwise()).run()).isEqualTo(thing.name());
      assertAtRest(thing);
    }
  }

  @Test
  void whatIsNotReadyIsLeftAlone() throws Exception {
    for (Thing thing : Thing.all()) {
      assertThat(Select.of(thing.clause(), otherwise()).run()).isEqualTo("otherwise");
      assertThat(Select.of(thing.clause(), after(Duration.ZERO)).run()).isEqualTo("time-out");
      assertThat(thing.waiting().getAsInt()).as(thing.name()).isZero();
      thenServes(thing);
    }
  }

  @Test
  void waitsUntilItIsServed() {
    for (Thing thing : Thing.all()) {
      thenServes(thing);
    }
  }

  @Test
  void case109_ofTwoThatAreReadyOneIsTakenAndTheOtherIsStillThere() throws Exception {
    for (int i = 0; i < Thing.kinds(); i++) {
      Thing first = Thing.of(i);
      Thing second = Thing.of((i + 1) % Thing.kinds());
      first.makeReady().run();
      second.makeReady().run();
      String taken = Select.of(first.clause(), second.clause()).run();
      Thing other = taken.equals(first.name()) ? second : first;
      assertThat(Select.of(other.clause(), otherwise()).run()).isEqualTo(other.name());
      assertAtRest(first);
      assertAtRest(second);
    }
  }

  @Test
  void aLoserIsWithdrawnAndHoldsNothing() throws Exception {
    for (Thing thing : Thing.all()) {
      Event other = new Event();
      Actor<String> select =
          world().call("select", () -> Select.of(thing.clause(), Select.event(other, () -> "other")).run());
      assertWaiting(thing, 1);
      other.set();
      assertThat(select.result()).isEqualTo("other");
      assertWaiting(thing, 0);
      thenServes(thing);
    }
  }

  @Test
  void whenOneIsServedAllOthersAreWithdrawn() throws Exception {
    for (int i = 0; i < Thing.kinds(); i++) {
      List<Thing> things = Thing.all();
      Actor<String> select =
          world().call("select", () -> Select.of(things.stream().map(Thing::clause).toList()).run());
      assertThat(select.isWaiting()).isTrue();
      things.get(i).makeReady().run();
      assertThat(select.result()).isEqualTo(things.get(i).name());
      for (Thing thing : things) {
        assertWaiting(thing, 0);
        if (thing != things.get(i)) {
          assertThat(Select.of(thing.clause(), otherwise()).run()).isEqualTo("otherwise");
          thing.makeReady().run();
          assertThat(Select.of(thing.clause(), otherwise()).run()).isEqualTo(thing.name());
        }
        assertAtRest(thing);
      }
    }
  }

  @Test
  void anInterruptedSelectHasTakenNothing() {
    for (Thing thing : Thing.all()) {
      Actor<String> select = world().call("select", () -> Select.of(thing.clause()).run());
      assertWaiting(thing, 1);
      select.interrupt();
      assertThat(select.failure()).isInstanceOf(InterruptedException.class);
      assertThat(select.endedInterrupted()).isFalse();
      assertWaiting(thing, 0);
      thenServes(thing);
    }
  }

  @Test
  void aCallerThatIsInterruptedAlreadyTakesNothing() throws Exception {
    for (Thing thing : Thing.all()) {
      thing.makeReady().run();
      Actor<String> select =
          world()
              .call(
                  "select",
                  () -> {
                    Thread.currentThread().interrupt();
                    return Select.of(thing.clause()).run();
                  });
      assertThat(select.failure()).isInstanceOf(InterruptedException.class);
      assertThat(Select.of(thing.clause(), otherwise()).run()).isEqualTo(thing.name());
      assertAtRest(thing);
    }
  }

  @Test
  void case113_aTimeOutIsItsOwnOutcome() {
    for (Thing thing : Thing.all()) {
      Actor<String> select = world().call("select", () -> Select.of(thing.clause(), after(SHORT)).run());
      world().pass(SHORT);
      assertThat(select.result()).isEqualTo("time-out");
      assertWaiting(thing, 0);
      thenServes(thing);
    }
  }

  @Test
  void case122_whatMeetsAnInterruptIsDelivered() {
    for (Thing thing : Thing.all()) {
      Actor<String> select = world().call("select", () -> Select.of(thing.clause()).run());
      thing.makeReady().run();
      select.interrupt();
      assertThat(select.result()).isEqualTo(thing.name());
      if (kind == Worlds.STEPPED) {
        assertThat(select.endedInterrupted()).isTrue();
      }
      assertAtRest(thing);
    }
  }

  @Test
  void whatMeetsTheDeadlineIsDelivered() throws Exception {
    for (Thing thing : Thing.all()) {
      Actor<String> select = world().call("select", () -> Select.of(thing.clause(), after(SHORT)).run());
      thing.makeReady().run();
      world().pass(SHORT.multipliedBy(2));
      if (kind == Worlds.STEPPED) {
        assertThat(select.result()).isEqualTo(thing.name());
      } else if (select.result().equals("time-out")) {
        assertThat(Select.of(thing.clause(), otherwise()).run()).isEqualTo(thing.name());
      }
      assertAtRest(thing);
    }
  }

  @Test
  void severalWaitForTheSameThingAndAreServedInTurn() throws Exception {
    for (Thing thing : Thing.all()) {
      Actor<String> first = world().call("first", () -> Select.of(thing.clause()).run());
      Actor<String> second = world().call("second", () -> Select.of(thing.clause(), thing.clause()).run());
      // Locks and permits are given back by the first; values are there once only.
      thing.makeReady().run();
      assertThat(first.result()).isEqualTo(thing.name());
      if (thing.name().contains("send") || thing.name().contains("receive")) {
        second.interrupt();
        assertThat(second.failure()).isInstanceOf(InterruptedException.class);
      } else {
        assertThat(second.result()).isEqualTo(thing.name());
      }
      assertWaiting(thing, 0);
      assertAtRest(thing);
    }
  }

  private void thenServes(Thing thing) {
    Actor<String> select = world().call("select", () -> Select.of(thing.clause()).run());
    assertThat(select.isWaiting()).as(thing.name()).isTrue();
    assertWaiting(thing, 1);
    thing.makeReady().run();
    assertThat(select.result()).isEqualTo(thing.name());
    assertWaiting(thing, 0);
    assertAtRest(thing);
  }

  private static void assertWaiting(Thing thing, int expected) {
    if (thing.isWatched()) {
      assertThat(thing.waiting().getAsInt()).as("waiting for " + thing).isEqualTo(expected);
    }
  }

  private static void assertAtRest(Thing thing) {
    assertThat(thing.atRest().getAsBoolean()).as(thing.name() + " at rest").isTrue();
  }

  private static Clause<String> otherwise() {
    return Select.otherwise(() -> "otherwise");
  }

  private static Clause<String> after(Duration time) {
    return Select.after(time, () -> "time-out");
  }
}

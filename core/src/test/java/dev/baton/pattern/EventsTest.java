// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Broadcast;
import dev.baton.channel.Subscription;
import dev.baton.channel.Watch;
import dev.baton.channel.Watcher;
import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.world.Actor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The three ways to tell all: that something has happened, each thing that happens, and how things are now. */
class EventsTest extends InEveryWorld {
  private static final int LISTENERS = 5;

  @Test
  void pattern22_anEventWakesAllAndLetsLaterOnesPass() {
    Event event = new Event();
    List<Actor<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < LISTENERS; i++) {
      waiters.add(world().start("waiter " + i, event::await));
    }
    assertThat(waiters).noneMatch(Actor::isDone);
    assertThat(world().call("set", event::set).result()).isTrue();
    waiters.forEach(Actor::result);
    assertThat(world().call("set again", event::set).result()).isFalse();
    world().start("late", event::await).result();
  }

  @Test
  void pattern22_eachSubscriberOfABroadcastGetsEachEvent() {
    Broadcast<Integer> events = Broadcast.buffered(2);
    List<Subscription<Integer>> subscriptions = new ArrayList<>();
    for (int i = 0; i < LISTENERS; i++) {
      subscriptions.add(world().call("subscribe", events::subscribe).result());
    }
    List<Actor<List<Integer>>> listeners = new ArrayList<>();
    for (Subscription<Integer> subscription : subscriptions) {
      listeners.add(
          world()
              .call(
                  "listener",
                  () -> {
                    List<Integer> heard = new ArrayList<>();
                    subscription.forEach(heard::add);
                    return heard;
                  }));
    }
    world()
        .start(
            "sender",
            () -> {
              for (int i = 0; i < 10; i++) {
                events.send(i);
              }
              events.close();
            })
        .result();
    assertThat(listeners.stream().map(Actor::result)).containsOnly(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  }

  @Test
  void pattern22_whoeverWatchesSeesTheLatestValue() {
    Watch<Integer> watch = Watch.of(0);
    Watcher<Integer> watcher = world().call("subscribe", watch::subscribe).result();
    Actor<Integer> waiting = world().call("waiting", watcher::changed);
    assertThat(waiting.isDone()).isFalse();
    world().start("set", () -> watch.set(1)).result();
    assertThat(waiting.result()).isEqualTo(1);
    world()
        .start(
            "set often",
            () -> {
              for (int i = 2; i <= 10; i++) {
                watch.set(i);
              }
            })
        .result();
    assertThat(world().call("late", watcher::changed).result()).isEqualTo(10);
    assertThat(world().call("look", watch::get).result()).isEqualTo(10);
  }
}

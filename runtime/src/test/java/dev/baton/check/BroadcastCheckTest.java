// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Broadcast;
import dev.baton.channel.Heard;
import dev.baton.channel.NoSubscriberException;
import dev.baton.channel.Published;
import dev.baton.channel.Received;
import dev.baton.channel.Subscription;
import dev.baton.channel.Watch;
import dev.baton.channel.Watcher;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Back-pressure, lag and the latest value under every schedule. */
class BroadcastCheckTest {

  @Test
  void nothingIsMissedAndNeverMoreThanTheCapacityIsStored() {
    Check.that(
            () -> {
              Broadcast<Integer> broadcast = Broadcast.buffered(2);
              Check.always("at most 2 stored", () -> broadcast.size() <= 2);
              List<Subscription<Integer>> subscriptions = List.of(broadcast.subscribe(), broadcast.subscribe());
              Scope.run(
                  scope -> {
                    List<Task<List<Integer>>> received = new ArrayList<>();
                    for (Subscription<Integer> subscription : subscriptions) {
                      received.add(scope.fork(() -> all(subscription)));
                    }
                    List<Task<Object>> senders = new ArrayList<>();
                    for (int i = 0; i < 2; i++) {
                      int first = 10 * i;
                      senders.add(
                          scope.fork(
                              () -> {
                                for (int value = first; value < first + 3; value++) {
                                  require(broadcast.send(value) == 2, "two receive " + value);
                                }
                                return null;
                              }));
                    }
                    for (Task<Object> sender : senders) {
                      sender.await();
                    }
                    broadcast.close();
                    List<Integer> one = received.getFirst().await();
                    require(one.equals(received.getLast().await()), "both receive the same in the same order");
                    require(one.stream().filter(it -> it < 10).toList().equals(List.of(0, 1, 2)), "in order: " + one);
                    require(one.stream().filter(it -> it >= 10).toList().equals(List.of(10, 11, 12)), "in order: " + one);
                  });
              require(broadcast.size() == 0, "nothing is kept");
            })
        .seeds(500)
        .run();
  }

  private static List<Integer> all(Subscription<Integer> subscription) {
    List<Integer> received = new ArrayList<>();
    subscription.forEach(received::add);
    return received;
  }

  /** Received and missed together are all that was sent, whoever is how slow. */
  @Test
  void everyMissedValueIsCounted() {
    Check.that(
            () -> {
              Broadcast<Integer> broadcast = Broadcast.lagging(2);
              List<Subscription<Integer>> subscriptions = List.of(broadcast.subscribe(), broadcast.subscribe());
              Scope.run(
                  scope -> {
                    for (Subscription<Integer> subscription : subscriptions) {
                      scope.fork(() -> follow(subscription));
                    }
                    for (int value = 0; value < 6; value++) {
                      broadcast.send(value);
                    }
                    broadcast.close();
                    scope.join();
                  });
            })
        .seeds(500)
        .run();
  }

  private static Object follow(Subscription<Integer> subscription) throws InterruptedException {
    int next = 0;
    while (true) {
      switch (subscription.tryReceive(Duration.ofHours(1))) {
        case Heard.Value<Integer>(Integer value) -> {
          require(value == next, "expected " + next + " but received " + value);
          next++;
        }
        case Heard.Lagged<Integer>(long missed) -> next += (int) missed;
        case Heard.Closed<Integer>() -> {
          require(next == 6, "received and missed are " + next);
          return subscription;
        }
        case Heard.Empty<Integer>() -> throw new IllegalStateException("a wake-up was lost");
        case Heard.Failed<Integer>(Throwable error) -> throw new IllegalStateException(error);
      }
    }
  }

  @Test
  void aSlowSubscriberThatLeavesStopsNobody() {
    Report report =
        Check.that(
                () -> {
                  Broadcast<Integer> broadcast = Broadcast.buffered(1);
                  Subscription<Integer> slow = broadcast.subscribe();
                  Subscription<Integer> fast = broadcast.subscribe();
                  Scope.run(
                      scope -> {
                        Task<List<Integer>> received = scope.fork(() -> all(fast));
                        scope.fork(
                            () -> {
                              slow.close();
                              return null;
                            });
                        broadcast.send(1);
                        broadcast.send(2);
                        broadcast.close();
                        require(received.await().equals(List.of(1, 2)), "the other receives both");
                      });
                })
            .exhaustive()
            .search();
    assertThat(report.failure()).isEmpty();
    assertThat(report.complete()).isTrue();
  }

  @Test
  void aSendMeetsTheLastSubscriberLeaving() {
    Check.that(
            () -> {
              Broadcast<Integer> broadcast = Broadcast.buffered(1);
              Subscription<Integer> last = broadcast.subscribe();
              Scope.run(
                  scope -> {
                    scope.fork(
                        () -> {
                          last.tryReceive();
                          last.close();
                          return null;
                        });
                    try {
                      for (int value = 1; value <= 3; value++) {
                        require(broadcast.send(value) == 1, "one receives " + value);
                      }
                      throw new IllegalStateException("at most two fit");
                    } catch (NoSubscriberException e) {
                      require(e.value() != null, "it has the value");
                    }
                    scope.join();
                  });
              require(broadcast.size() == 0 && broadcast.waitingSenders() == 0, "nothing is kept");
              require(broadcast.trySend(4) instanceof Published.NoSubscriber<Integer>, "nobody is there");
            })
        .exhaustive()
        .run();
  }

  /** A send that was cancelled has been received by all or by nobody. */
  @Test
  void aCancelledSendIsSentToAllOrToNobody() {
    Check.that(
            () -> {
              Broadcast<Integer> broadcast = Broadcast.buffered(1);
              List<Subscription<Integer>> subscriptions = List.of(broadcast.subscribe(), broadcast.subscribe());
              boolean[] sent = new boolean[1];
              broadcast.send(1);
              Scope.run(
                  scope -> {
                    Task<Object> sender =
                        scope.fork(
                            () -> {
                              try {
                                broadcast.send(2);
                                sent[0] = true;
                              } catch (InterruptedException e) {
                                // Not sent.
                              }
                              return null;
                            });
                    for (Subscription<Integer> subscription : subscriptions) {
                      scope.fork(subscription::receive);
                    }
                    sender.cancel();
                    scope.join();
                  });
              for (Subscription<Integer> subscription : subscriptions) {
                require(subscription.tryReceive().value().isPresent() == sent[0], "sent: " + sent[0]);
              }
            })
        .seeds(500)
        .run();
  }

  @Test
  void theLastValueIsAlwaysSeenAndNeverAnOlderOneAfterIt() {
    Check.that(
            () -> {
              Watch<Integer> watch = Watch.of(0);
              Watcher<Integer> watcher = watch.subscribe();
              Watcher<Integer> condition = watch.subscribe();
              Scope.run(
                  scope -> {
                    Task<Integer> three = scope.fork(() -> condition.waitFor(value -> value >= 3));
                    Task<Integer> last = scope.fork(() -> lastOf(watcher));
                    List<Task<Integer>> updates = new ArrayList<>();
                    for (int i = 0; i < 2; i++) {
                      updates.add(scope.fork(() -> watch.update(it -> it + 1) + watch.update(it -> it + 1)));
                    }
                    for (Task<Integer> update : updates) {
                      update.await();
                    }
                    watch.close();
                    require(three.await() >= 3, "satisfied");
                    require(last.await() == 4, "the last is seen");
                  });
            })
        .seeds(500)
        .run();
  }

  private static int lastOf(Watcher<Integer> watcher) throws InterruptedException {
    int last = 0;
    while (watcher.tryChanged(Duration.ofHours(1)) instanceof Received.Value<Integer>(Integer value)) {
      require(value > last, value + " after " + last);
      last = value;
    }
    return last;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("not true: " + what);
    }
  }
}

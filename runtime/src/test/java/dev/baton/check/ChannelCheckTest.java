// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Channel;
import dev.baton.channel.ChannelClosedException;
import dev.baton.channel.Clause;
import dev.baton.channel.Meanwhile;
import dev.baton.channel.Received;
import dev.baton.channel.Select;
import dev.baton.channel.Thing;
import dev.baton.runtime.Cooperative;
import dev.baton.scope.Scope;
import dev.baton.scope.Task;
import dev.baton.sync.Event;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Small programs over channels and selects: nothing is lost, doubled, reordered or held, whatever the schedule. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelCheckTest {
  private static final Duration SOON = Duration.ofMillis(1);
  private static final int SEEDS = Integer.getInteger("baton.check.seeds", 150);

  private static void exhaustively(Program program) {
    Check.that(program).exhaustive(2).seeds(20_000).run();
  }

  private static void widely(Program program) {
    Check.that(program).seeds(SEEDS).run();
    Check.that(program).seeds(SEEDS).strategy(Strategy.pct()).run();
  }

  /** Others may run before the clause is put in line, not only before the select. */
  private static Clause<String> slowly(Clause<String> clause) {
    return Meanwhile.before(clause, Cooperative::yieldNow);
  }

  private static Clause<String> soon() {
    return Select.after(SOON, () -> "time-out");
  }

  private static void assertNobodyWaits(Channel<?>... channels) {
    for (Channel<?> channel : channels) {
      assertThat(channel.waitingReceivers() + channel.waitingSenders()).isZero();
    }
  }

  // ---- channels ----

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void whatIsSentIsReceivedOnceAndInOrder(int capacity) {
    exhaustively(
        () -> {
          Channel<Integer> channel = capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity);
          List<Integer> received = new ArrayList<>();
          Scope.run(
              scope -> {
                Task<Object> sender =
                    scope.fork(
                        () -> {
                          channel.send(1);
                          channel.send(2);
                          channel.close();
                          return null;
                        });
                scope.fork(
                    () -> {
                      channel.forEach(received::add);
                      return null;
                    });
                sender.await();
                scope.join();
              });
          assertThat(received).containsExactly(1, 2);
          assertNobodyWaits(channel);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aReceiverThatIsCancelledTakesTheValueOrLeavesIt(int capacity) {
    exhaustively(
        () -> {
          Channel<Integer> channel = capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity);
          List<Integer> received = new ArrayList<>();
          Scope.run(
              scope -> {
                Task<Object> first =
                    scope.fork(
                        () -> {
                          channel.tryReceive(Duration.ofHours(1)).value().ifPresent(received::add);
                          return null;
                        });
                scope.fork(
                    () -> {
                      channel.send(1);
                      channel.close();
                      return null;
                    });
                scope.fork(
                    () -> {
                      first.cancel();
                      return null;
                    });
                scope.fork(
                    () -> {
                      channel.forEach(received::add);
                      return null;
                    });
                scope.join();
              });
          assertThat(received).containsExactly(1);
          assertNobodyWaits(channel);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aSenderThatIsCancelledHasSentOrNot(int capacity) {
    exhaustively(
        () -> {
          Channel<Integer> channel = capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity);
          List<Integer> received = new ArrayList<>();
          boolean[] sent = new boolean[1];
          Scope.run(
              scope -> {
                Task<Object> sender =
                    scope.fork(
                        () -> {
                          channel.send(0);
                          channel.send(1);
                          sent[0] = true;
                          return null;
                        });
                scope.fork(
                    () -> {
                      sender.cancel();
                      return null;
                    });
                scope.fork(
                    () -> {
                      while (channel.tryReceive(SOON) instanceof Received.Value<Integer>(Integer value)) {
                        received.add(value);
                      }
                      return null;
                    });
                scope.join();
              });
          assertThat(received).isEqualTo(IntStream.range(0, received.size()).boxed().toList());
          assertThat(received.size() == 2).isEqualTo(sent[0]);
          assertNobodyWaits(channel);
        });
  }

  @Test
  void futuresThatAreCancelledLoseNothing() {
    exhaustively(
        () -> {
          Channel<Integer> channel = Channel.rendezvous();
          CompletableFuture<Integer> receive = channel.receiveAsync();
          CompletableFuture<Integer> next = channel.receiveAsync();
          boolean[] cancelled = new boolean[1];
          Scope.run(
              scope -> {
                scope.fork(() -> channel.trySend(1));
                scope.fork(() -> cancelled[0] = receive.cancel(true));
                scope.join();
              });
          assertThat((cancelled[0] ? next : receive).getNow(null)).isEqualTo(1);
          next.cancel(true);
          assertNobodyWaits(channel);
        });
  }

  @Test
  void aChannelThatIsClosedBesideSendsAndReceivesLosesNothing() {
    widely(
        () -> {
          Channel<Integer> channel = Channel.buffered(1);
          List<Integer> received = new ArrayList<>();
          List<Integer> sent = new ArrayList<>();
          Scope.run(
              scope -> {
                for (int i = 0; i < 2; i++) {
                  int first = i * 10;
                  scope.fork(
                      () -> {
                        try {
                          for (int k = first; k < first + 3; k++) {
                            channel.send(k);
                            sent.add(k);
                          }
                        } catch (ChannelClosedException e) {
                          // the rest stays here
                        }
                        return null;
                      });
                }
                scope.fork(
                    () -> {
                      channel.forEach(received::add);
                      return null;
                    });
                scope.fork(
                    () -> {
                      channel.close();
                      return null;
                    });
                scope.join();
              });
          assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
          assertThat(received.stream().filter(v -> v < 10).toList()).isSorted();
          assertThat(received.stream().filter(v -> v >= 10).toList()).isSorted();
          assertNobodyWaits(channel);
        });
  }

  // ---- selects ----

  @Test
  void case123_twoSelectsThatFaceEachOtherPairUpOnce() {
    exhaustively(
        () -> {
          Channel<String> a = Channel.rendezvous();
          Channel<String> b = Channel.rendezvous();
          List<String> results = new ArrayList<>();
          Scope.run(
              scope -> {
                scope.fork(
                    () ->
                        results.add(
                            Select.of(slowly(Select.send(a, "a", () -> "a")), slowly(Select.send(b, "b", () -> "b"))).run()));
                scope.fork(
                    () -> results.add(Select.of(slowly(Select.receive(b, v -> v)), slowly(Select.receive(a, v -> v))).run()));
                scope.join();
              });
          assertThat(results).hasSize(2);
          assertThat(results.get(0)).isEqualTo(results.get(1));
          assertNobodyWaits(a, b);
        });
  }

  @Test
  void ofThreeSelectsInARingTwoMeet() {
    exhaustively(
        () -> {
          List<Channel<String>> ring = List.of(Channel.rendezvous(), Channel.rendezvous(), Channel.rendezvous());
          List<String> results = new ArrayList<>();
          Scope.run(
              scope -> {
                for (int i = 0; i < 3; i++) {
                  int mine = i;
                  int next = (i + 1) % 3;
                  scope.fork(
                      () ->
                          results.add(
                              Select.of(
                                      slowly(Select.send(ring.get(mine), "from " + mine, () -> "from " + mine)),
                                      slowly(Select.receive(ring.get(next), v -> v)),
                                      soon())
                                  .run()));
                }
                scope.join();
              });
          assertThat(results).hasSize(3).containsOnlyOnce("time-out");
          results.remove("time-out");
          assertThat(results.get(0)).isEqualTo(results.get(1));
          assertNobodyWaits(ring.toArray(Channel<?>[]::new));
        });
  }

  @Test
  void selectsThatBothSendAndReceiveOnOneChannelMeetEachOtherAndNotThemselves() {
    exhaustively(
        () -> {
          Channel<Integer> channel = Channel.rendezvous();
          List<String> results = new ArrayList<>();
          Scope.run(
              scope -> {
                for (int i = 0; i < 2; i++) {
                  int mine = i;
                  scope.fork(
                      () ->
                          results.add(
                              Select.of(
                                      slowly(Select.send(channel, mine, () -> "sent " + mine)),
                                      slowly(Select.receive(channel, v -> "got " + v)))
                                  .run()));
                }
                scope.join();
              });
          String sent = results.stream().filter(r -> r.startsWith("sent")).findFirst().orElseThrow();
          assertThat(results).containsExactlyInAnyOrder(sent, sent.replace("sent", "got"));
          assertNobodyWaits(channel);
        });
  }

  private static List<Integer> kinds() {
    return IntStream.range(0, Thing.kinds()).boxed().toList();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void ofTwoThatBecomeReadyOneIsTakenAndTheOtherIsLeft(int kind) {
    exhaustively(
        () -> {
          Thing thing = Thing.of(kind);
          Event event = new Event();
          String[] result = new String[1];
          Scope.run(
              scope -> {
                scope.fork(
                    () ->
                        result[0] =
                            Select.of(slowly(thing.clause()), slowly(Select.event(event, () -> "event"))).run());
                scope.fork(
                    () -> {
                      thing.makeReady().run();
                      return null;
                    });
                scope.fork(event::set);
                scope.join();
              });
          assertThat(event.waiting()).isZero();
          assertThat(thing.waiting().getAsInt()).isZero();
          if (!result[0].equals(thing.name())) {
            assertThat(result[0]).isEqualTo("event");
            assertThat(Select.of(thing.clause(), Select.otherwise(() -> "gone")).run()).isEqualTo(thing.name());
          }
          assertThat(thing.atRest().getAsBoolean()).isTrue();
        });
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aSelectThatIsCancelledHasTakenItOrLeavesItToOthers(int kind) {
    exhaustively(
        () -> {
          Thing thing = Thing.of(kind);
          List<String> results = new ArrayList<>();
          Scope.run(
              scope -> {
                Task<Object> first = scope.fork(() -> results.add(Select.of(slowly(thing.clause()), soon()).run()));
                scope.fork(
                    () -> {
                      first.cancel();
                      return null;
                    });
                scope.fork(
                    () -> {
                      thing.makeReady().run();
                      return null;
                    });
                scope.join();
              });
          assertThat(thing.waiting().getAsInt()).isZero();
          if (!results.contains(thing.name())) {
            assertThat(Select.of(thing.clause(), Select.otherwise(() -> "gone")).run()).isEqualTo(thing.name());
          }
          assertThat(thing.atRest().getAsBoolean()).isTrue();
        });
  }

  @Test
  void aSelectWhoseChannelsAreClosedMeanwhileEnds() {
    exhaustively(
        () -> {
          Channel<String> a = Channel.rendezvous();
          Channel<String> b = Channel.buffered(1);
          String[] result = new String[1];
          boolean[] sent = new boolean[1];
          Scope.run(
              scope -> {
                scope.fork(
                    () -> {
                      try {
                        result[0] = Select.of(slowly(Select.receive(a, v -> v)), slowly(Select.receive(b, v -> v))).run();
                      } catch (ChannelClosedException e) {
                        result[0] = "closed";
                      }
                      return null;
                    });
                scope.fork(
                    () -> {
                      a.close();
                      return null;
                    });
                scope.fork(
                    () -> {
                      sent[0] = b.trySend("value").isOk();
                      b.close();
                      return null;
                    });
                scope.join();
              });
          assertThat(result[0]).isEqualTo("value");
          assertThat(sent[0]).isTrue();
          assertNobodyWaits(a, b);
        });
  }

  @Test
  void permitsThatAreResizedAndClosedBesideSelectsAddUp() {
    widely(
        () -> {
          Semaphore semaphore = Semaphore.of(2);
          Channel<String> channel = Channel.rendezvous();
          int[] most = {2};
          Scope.run(
              scope -> {
                for (int i = 0; i < 3; i++) {
                  int n = 1 + i % 2;
                  scope.fork(
                      () -> {
                        try {
                          return Select.of(
                                  slowly(
                                      Select.permits(
                                          semaphore,
                                          n,
                                          permit -> {
                                            assertThat(semaphore.snapshot().held()).isLessThanOrEqualTo(most[0]);
                                            permit.close();
                                            return "permit";
                                          })),
                                  slowly(Select.receive(channel, v -> v)))
                              .run();
                        } catch (IllegalArgumentException refused) {
                          return "refused";
                        }
                      });
                }
                scope.fork(
                    () -> {
                      semaphore.resize(1);
                      most[0] = 3;
                      semaphore.resize(3);
                      return null;
                    });
                scope.fork(() -> channel.trySend("value"));
                scope.join();
              });
          assertThat(semaphore.available()).isEqualTo(3);
          assertThat(semaphore.waiting()).isZero();
          assertNobodyWaits(channel);
        });
  }

  // ---- what a check says of programs that are wrong ----

  @Test
  void tasksThatWaitForEachOthersValuesAreADeadlock() {
    for (boolean selecting : new boolean[] {false, true}) {
      Report report =
          Check.that(
                  () -> {
                    Channel<String> a = Channel.rendezvous();
                    Channel<String> b = Channel.rendezvous();
                    Scope.run(
                        scope -> {
                          scope.fork(() -> echo(a, b, selecting));
                          scope.fork(() -> echo(b, a, selecting));
                          scope.join();
                        });
                  })
              .search();
      assertThat(report.failure().orElseThrow().kind()).isEqualTo(Kind.DEADLOCK);
      assertThat(report.toString()).contains(selecting ? "Select" : "Channel", "ChannelCheckTest.java:");
    }
  }

  private static Object echo(Channel<String> from, Channel<String> to, boolean selecting) throws InterruptedException {
    to.send(selecting ? Select.of(Select.receive(from, v -> v)).run() : from.receive());
    return to;
  }

  // ---- programs drawn by a number ----

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void whateverTasksDoNothingIsLostDoubledOrReordered(int number) {
    Check.that(() -> new Mixture(number).run()).seeds(40).run();
    Check.that(() -> new Mixture(number).run()).seeds(40).strategy(Strategy.pct()).run();
  }

  /** A few tasks that send and receive in every way, and are cancelled. */
  private static final class Mixture {
    private final Random random;
    private final Channel<Integer> a;
    private final Channel<Integer> b = Channel.rendezvous();
    private final Semaphore semaphore = Semaphore.of(2);
    private final List<Integer> sent = new ArrayList<>();
    private final List<Integer> received = new ArrayList<>();

    Mixture(int number) {
      random = new Random(number);
      a = number % 3 == 0 ? Channel.rendezvous() : Channel.buffered(number % 3);
    }

    void run() throws Exception {
      Scope.run(
          scope -> {
            List<Task<Object>> tasks = new ArrayList<>();
            int senders = 1 + random.nextInt(2);
            for (int i = 0; i < senders; i++) {
              Random own = new Random(random.nextLong());
              int first = i * 100;
              tasks.add(
                  scope.fork(
                      () -> {
                        for (int k = first; k < first + 4; k++) {
                          if (send(own, k)) {
                            sent.add(k);
                          }
                        }
                        return null;
                      }));
            }
            for (int i = 0; i < 2; i++) {
              Random own = new Random(random.nextLong());
              tasks.add(
                  scope.fork(
                      () -> {
                        for (int k = 0; k < 4; k++) {
                          receive(own);
                        }
                        return null;
                      }));
            }
            if (random.nextBoolean()) {
              Task<Object> victim = tasks.get(random.nextInt(tasks.size()));
              scope.fork(
                  () -> {
                    victim.cancel();
                    return null;
                  });
            }
            scope.join();
          });
      for (Received<Integer> left = a.tryReceive(); left.value().isPresent(); left = a.tryReceive()) {
        received.add(left.value().get());
      }
      assertThat(received).containsExactlyInAnyOrderElementsOf(sent);
      assertThat(semaphore.available()).isEqualTo(2);
      assertThat(semaphore.waiting()).isZero();
      assertNobodyWaits(a, b);
    }

    private boolean send(Random own, int value) throws InterruptedException {
      return switch (own.nextInt(4)) {
        case 0 -> a.trySend(value).isOk();
        case 1 -> a.trySend(value, SOON).isOk();
        case 2 -> b.trySend(value, SOON).isOk();
        default ->
            Select.of(
                    slowly(Select.send(a, value, () -> "sent")),
                    slowly(Select.send(b, value, () -> "sent")),
                    slowly(Select.permits(semaphore, 2, Mixture::close)),
                    soon())
                .run()
                .equals("sent");
      };
    }

    private void receive(Random own) throws InterruptedException {
      switch (own.nextInt(4)) {
        case 0 -> a.tryReceive(SOON).value().ifPresent(received::add);
        case 1 -> b.tryReceive(SOON).value().ifPresent(received::add);
        case 2 -> Select.of(slowly(take(b)), slowly(take(a)), soon()).biased().run();
        default -> Select.of(slowly(take(a)), slowly(Select.permit(semaphore, Mixture::close)), slowly(take(b)), soon()).run();
      }
    }

    private Clause<String> take(Channel<Integer> channel) {
      return Select.receive(
          channel,
          value -> {
            received.add(value);
            return "received";
          });
    }

    private static String close(dev.baton.sync.Permit permit) {
      permit.close();
      return "permit";
    }
  }
}

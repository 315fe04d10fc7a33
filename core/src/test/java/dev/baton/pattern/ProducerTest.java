// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.channel.ChannelClosedException;
import dev.baton.channel.ChannelFailedException;
import dev.baton.channel.Received;
import dev.baton.channel.Select;
import dev.baton.scope.DeadlineExceededException;
import dev.baton.scope.Scope;
import dev.baton.sync.Event;
import dev.baton.sync.InEveryWorld;
import dev.baton.sync.Semaphore;
import dev.baton.world.Actor;
import dev.baton.world.Eventually;
import dev.baton.world.Worlds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // nulls are given on purpose
class ProducerTest extends InEveryWorld {
  private static final ScopedValue<String> USER = ScopedValue.newInstance();

  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicReference<Thread> thread = new AtomicReference<>();
  private final AtomicReference<Throwable> end = new AtomicReference<>();
  private final Semaphore never = Semaphore.unbounded(0);

  private void allNumbers(Producer.Sink<Integer> sink) throws Exception {
    thread.set(Thread.currentThread());
    try {
      while (true) {
        sink.send(sent.get());
        sent.incrementAndGet();
      }
    } catch (Throwable e) {
      end.set(e);
      throw e;
    }
  }

  private void assertEnded() {
    if (thread.get() != null) {
      assertThat(thread.get().isAlive()).isFalse();
      assertThat(end.get()).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void pattern09_aConsumerThatBreaksOffEndsTheProducer() {
    Actor<Integer> consumer =
        world()
            .call(
                "consumer",
                () -> {
                  int first = -1;
                  try (Producer<Integer> numbers = Producer.of(this::allNumbers)) {
                    for (int number : numbers) {
                      first = number;
                      break;
                    }
                  }
                  assertEnded();
                  return first;
                });
    assertThat(consumer.result()).isZero();
    assertThat(consumer.endedInterrupted()).isFalse();
    assertThat(sent.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void pattern09_manyProducersLeaveNoThread() {
    int rounds = kind == Worlds.STEPPED ? 5 : 2_000;
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    try (Producer<Integer> numbers = Producer.buffered(2, this::allNumbers)) {
                      numbers.receive();
                    }
                    assertEnded();
                  }
                });
    consumer.result();
  }

  @Test
  void pattern10_anErrorSurfacesAfterWhatWasSentBeforeIt() {
    IOException failure = new IOException("the producer");
    for (int buffer = 0; buffer < 3; buffer++) {
      Producer.Body<Integer> body =
          sink -> {
            sink.sendAll(List.of(1, 2));
            throw failure;
          };
      int size = buffer;
      Actor<List<Integer>> consumer =
          world()
              .call(
                  "consumer",
                  () -> {
                    List<Integer> seen = new ArrayList<>();
                    try (Producer<Integer> numbers = size == 0 ? Producer.of(body) : Producer.buffered(size, body)) {
                      assertThatThrownBy(() -> numbers.forEach(seen::add))
                          .isInstanceOf(ChannelFailedException.class)
                          .hasCause(failure);
                      assertThat(numbers.failure()).containsSame(failure);
                      assertThatThrownBy(numbers::receive).hasCause(failure);
                      assertThat(numbers.tryReceive()).isEqualTo(new Received.Failed<>(failure));
                    }
                    return seen;
                  });
      assertThat(consumer.result()).containsExactly(1, 2);
      assertThat(consumer.endedInterrupted()).isFalse();
    }
  }

  @Test
  void pattern10_cancellingTheConsumerEndsTheProducer() {
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () -> {
                  try (Producer<Integer> numbers = Producer.of(this::allNumbers)) {
                    numbers.receive();
                    never.acquire();
                  }
                });
    Eventually.holds(world(), () -> never.waiting() == 1);
    consumer.interrupt();
    assertThat(consumer.failure()).isInstanceOf(InterruptedException.class);
    assertEnded();
  }

  @Test
  void pattern10_aConsumerThatIsCancelledWhileItIteratesEndsTheProducer() {
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () -> {
                  try (Producer<Integer> numbers =
                      Producer.of(
                          sink -> {
                            sink.send(1);
                            never.acquire();
                          })) {
                    for (int number : numbers) {
                      assertThat(number).isEqualTo(1);
                    }
                  }
                });
    Eventually.holds(world(), () -> never.waiting() == 1);
    consumer.interrupt();
    assertThat(consumer.failure()).isInstanceOf(CancellationException.class);
    assertThat(consumer.endedInterrupted()).isTrue();
    assertThat(never.waiting()).isZero();
  }

  @Test
  void aProducerThatIsNotClosedEndsWithTheScopeAroundIt() {
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () -> {
                  Scope.run(
                      scope -> {
                        Producer<Integer> forgotten = Producer.of(this::allNumbers);
                        forgotten.receive();
                      });
                  assertEnded();
                });
    consumer.result();
  }

  @Test
  void aFailureInTheScopeAroundItEndsConsumerAndProducer() {
    IOException failure = new IOException("a sibling");
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () ->
                    Scope.run(
                        scope -> {
                          try (Producer<Integer> numbers = Producer.of(this::allNumbers)) {
                            numbers.receive();
                            scope.fork(
                                () -> {
                                  throw failure;
                                });
                            never.acquire();
                          }
                        }));
    assertThat(consumer.failure()).isSameAs(failure);
    assertEnded();
    assertThat(consumer.endedInterrupted()).isFalse();
  }

  @Test
  void aDeadlineAroundItEndsConsumerAndProducer() {
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () ->
                    Scope.run(
                        scope -> {
                          scope.deadline(SHORT);
                          try (Producer<Integer> numbers = Producer.of(sink -> never.acquire())) {
                            numbers.receive();
                          }
                        }));
    world().pass(SHORT.multipliedBy(2));
    assertThat(consumer.failure()).isInstanceOf(DeadlineExceededException.class);
    assertThat(never.waiting()).isZero();
  }

  @Test
  void whatWasSentIsReceivedInEveryWayAndThenComesTheEnd() {
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () -> {
                  try (Producer<Integer> numbers =
                      Producer.buffered(
                          2,
                          sink -> {
                            for (int i = 1; i <= 6; i++) {
                              sink.send(i);
                            }
                          })) {
                    assertThat(numbers.receive()).isEqualTo(1);
                    assertThat(numbers.tryReceive(LONG).value()).contains(2);
                    assertThat(numbers.receiveAsync().get()).isEqualTo(3);
                    assertThat(numbers.receiveAsync(LONG).get()).isEqualTo(4);
                    assertThat(Select.of(numbers.onReceive(number -> "got " + number)).run()).isEqualTo("got 5");
                    assertThat(numbers.receiveMany(10)).containsExactly(6);
                    assertThat(numbers.tryReceive(LONG)).isEqualTo(new Received.Closed<>());
                    assertThat(numbers.isFinished()).isTrue();
                    assertThat(numbers.failure()).isEmpty();
                    assertThatThrownBy(numbers::receive).isInstanceOf(ChannelClosedException.class);
                    assertThat(numbers).asString().contains("ended");
                  }
                });
    consumer.result();
  }

  @Test
  void closingTheStreamClosesTheProducer() {
    Actor<List<Integer>> consumer =
        world()
            .call(
                "consumer",
                () -> {
                  List<Integer> seen;
                  try (Stream<Integer> numbers = Producer.of(this::allNumbers).stream()) {
                    seen = numbers.limit(3).toList();
                  }
                  assertEnded();
                  return seen;
                });
    assertThat(consumer.result()).containsExactly(0, 1, 2);
  }

  @Test
  void aParallelStreamTakesOnlyWhatItNeeds() {
    Actor<List<Integer>> consumer =
        world()
            .call(
                "consumer",
                () -> {
                  // One that asked for more than it used would wait here for ever.
                  try (Producer<Integer> numbers = Producer.of(this::threeNumbersAndNoEnd)) {
                    List<Integer> seen = numbers.stream().parallel().limit(3).toList();
                    assertThat(numbers.spliterator().trySplit()).isNull();
                    return seen;
                  }
                });
    assertThat(consumer.result()).containsExactly(0, 1, 2);
  }

  private void threeNumbersAndNoEnd(Producer.Sink<Integer> sink) throws InterruptedException {
    for (int number = 0; number < 3; number++) {
      sink.send(number);
    }
    new Event().await();
  }

  @Test
  void afterClosingNothingIsReceivedAndClosingAgainDoesNothing() {
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () -> {
                  Producer<Integer> numbers = Producer.buffered(3, this::allNumbers);
                  numbers.receive();
                  numbers.close();
                  numbers.close();
                  assertThatThrownBy(numbers::receive).isInstanceOf(ChannelClosedException.class);
                  assertThat(numbers.tryReceive(Duration.ZERO)).isEqualTo(new Received.Closed<>());
                  assertThat(numbers.iterator().hasNext()).isFalse();
                  assertThat(numbers.failure()).isEmpty();
                });
    consumer.result();
  }

  @Test
  void onlyTheOneWhoMadeItMayCloseIt() {
    Actor<Void> consumer =
        world()
            .start(
                "consumer",
                () ->
                    Scope.run(
                        scope -> {
                          try (Producer<Integer> numbers = Producer.of(this::allNumbers)) {
                            scope.fork(
                                () -> {
                                  assertThatThrownBy(numbers::close).isInstanceOf(WrongThreadException.class);
                                });
                            scope.join();
                            assertThat(numbers.receive()).isZero();
                          }
                        }));
    consumer.result();
  }

  @Test
  void theProducerHasTheContextOfItsMaker() {
    Actor<String> consumer =
        world()
            .call(
                "consumer",
                () ->
                    ScopedValue.where(USER, "ann")
                        .call(
                            () ->
                                Scope.call(
                                    scope -> {
                                      scope.carry(USER);
                                      try (Producer<String> names = Producer.of(sink -> sink.send(USER.get()))) {
                                        return names.receive();
                                      }
                                    })));
    assertThat(consumer.result()).isEqualTo("ann");
  }

  @Test
  void badArgumentsAreRefusedAndNothingIsStarted() {
    assertThatThrownBy(() -> Producer.of(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Producer.buffered(1, null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Producer.buffered(0, this::allNumbers)).isInstanceOf(IllegalArgumentException.class);
    assertThat(thread.get()).isNull();
    Actor<Throwable> nothing =
        world()
            .call(
                "consumer",
                () -> {
                  try (Producer<Integer> numbers = Producer.of(sink -> sink.send(null))) {
                    return org.assertj.core.api.Assertions.catchThrowable(numbers::receive);
                  }
                });
    assertThat(nothing.result()).hasCauseInstanceOf(NullPointerException.class);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.peer.Pipe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is measured of channels does what it should, in a small size, and tells when it did not. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrafficTest {
  static Stream<Arguments> pipes() {
    return Stream.concat(
        Stream.of(Peer.BATON_CHANNEL, Peer.JOX, Peer.KOTLIN_CHANNEL)
            .flatMap(peer -> Stream.of(0, 1, 64).map(capacity -> Arguments.of(peer, capacity))),
        Stream.of(
            Arguments.of(Peer.ARRAY_QUEUE, 1),
            Arguments.of(Peer.ARRAY_QUEUE, 64),
            Arguments.of(Peer.SYNCHRONOUS_QUEUE, 0),
            Arguments.of(Peer.TRANSFER_QUEUE, 0)));
  }

  @ParameterizedTest
  @MethodSource("pipes")
  void everyMessageIsReceived(Peer peer, int capacity) throws InterruptedException {
    Traffic.manyToMany(peer, capacity, 1, 1_000).run();
    Traffic.manyToMany(peer, capacity, 8, 8_000).run();
    Traffic.parallel(peer, 50, capacity, 5_000).run();
    Traffic.chain(peer, 50, capacity, 5_000).run();
  }

  @ParameterizedTest
  @EnumSource(names = {"BATON_SELECT", "BIASED_SELECT", "JOX_SELECT", "KOTLIN_SELECT"})
  void everyMessageIsSelected(Peer peer) throws InterruptedException {
    for (int capacity : List.of(0, 64)) {
      for (Duration timeout : new @Nullable Duration[] {null, Duration.ofMinutes(1)}) {
        Traffic.select(peer, 1, capacity, timeout, 1_000).run();
        Traffic.select(peer, 2, capacity, timeout, 2_000).run();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BATON_SELECT", "BIASED_SELECT", "JOX_SELECT", "KOTLIN_SELECT"})
  void aSelectThatTimesOutFailsTheRow(Peer peer) {
    Traffic traffic = Traffic.of(peer);
    traffic.selector(List.of(traffic.pipe(64)), Duration.ofMillis(1), 1);

    assertThatThrownBy(traffic::run).isInstanceOf(IllegalStateException.class).hasMessage("a worker failed").hasCauseInstanceOf(Exception.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"BATON_CHANNEL", "KOTLIN_CHANNEL"})
  void whoeverIsNeverDoneFailsTheRow(Peer peer) {
    Traffic traffic = Traffic.of(peer);
    traffic.receiver(traffic.pipe(0), 1);

    assertThatThrownBy(() -> traffic.run(Duration.ofMillis(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("1 of 1 workers were never done");
  }

  @Test
  void aWorkerThatFailsFailsTheRowAlthoughOthersWaitForIt() {
    Traffic traffic = new Broken(message -> {
      throw new IllegalArgumentException("not " + message);
    });
    int pipe = traffic.pipe(1);
    traffic.sender(pipe, 10);
    traffic.receiver(pipe, 10);

    assertThatThrownBy(traffic::run).hasMessage("a worker failed").hasRootCauseMessage("not 0");
  }

  @Test
  void aMessageThatIsNotTheOneThatWasSentFailsTheRow() {
    assertThatCode(() -> run(new Broken(message -> message))).doesNotThrowAnyException();
    assertThatThrownBy(() -> run(new Broken(message -> 7)))
        .hasMessage("sum of the messages received: expected 45, found 70");
  }

  private static void run(Traffic traffic) throws InterruptedException {
    int pipe = traffic.pipe(1);
    traffic.sender(pipe, 10);
    traffic.receiver(pipe, 10);
    traffic.run();
  }

  @Test
  void aPipeWithoutABufferIsNotTakenForOneThatHasOne() {
    assertThatThrownBy(() -> Peer.SYNCHRONOUS_QUEUE.pipe(64)).hasMessageContaining("holds nothing");
    assertThatThrownBy(() -> Peer.TRANSFER_QUEUE.pipe(64)).hasMessageContaining("holds nothing");
  }

  /** What becomes of a message on its way. */
  private interface Garble {
    Integer of(Integer message);
  }

  private static final class Broken extends ThreadTraffic {
    private final Garble garble;

    Broken(Garble garble) {
      super(Peer.ARRAY_QUEUE);
      this.garble = garble;
    }

    @Override
    Pipe newPipe(int capacity) {
      BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(capacity);
      return new Pipe() {
        @Override
        public void send(Integer message) throws InterruptedException {
          queue.put(garble.of(message));
        }

        @Override
        public Integer receive() throws InterruptedException {
          return queue.take();
        }
      };
    }
  }
}

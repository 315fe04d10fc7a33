// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.channel.Channel;
import dev.baton.channel.ChannelClosedException;
import dev.baton.channel.Clause;
import dev.baton.channel.Select;
import dev.baton.sync.Semaphore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Selects over two channels and a semaphore. Which of several things is taken is up to them, so no results are specified: what
 * counts is that whatever was sent was received once, that permits add up, and that nobody waits for what is there.
 */
class SelectModelTest {

  @Test
  void twoThatFaceEachOtherMeet() {
    Search.scriptedBriefly()
        .sequentialSpecification(Unspecified.class)
        .addCustomScenario(scenario(List.of(call("send", 1)), List.of(call("receive"))))
        .addCustomScenario(scenario(List.of(call("sendOrReceive", 1)), List.of(call("sendOrReceive", 2))))
        .check(Selects.class);
  }

  @Test
  void thoseWhoGiveUpTakeNothingWithThem() {
    Search.scriptedBriefly()
        .sequentialSpecification(Unspecified.class)
        .addCustomScenario(
            scenario(List.of(call("sendOrGiveUp", 1)), List.of(call("receiveOrGiveUp")), List.of(call("receiveOrGiveUp"))))
        .addCustomScenario(
            scenario(
                List.of(call("sendOrReceiveOrGiveUp", 1)),
                List.of(call("sendOrReceiveOrGiveUp", 2)),
                List.of(call("sendOrReceiveOrGiveUp", 3))))
        .addCustomScenario(
            scenario(List.of(call("sendOrGiveUp", 1)), List.of(call("tryReceive")), List.of(call("receiveOrGiveUp"))))
        .addCustomScenario(
            scenario(List.of(call("receiveOrGiveUp")), List.of(call("trySend", 1), call("trySend", 2)), List.of(call("close"))))
        .check(Selects.class);
  }

  @Test
  void aPermitAndAValueAreNotBothTaken() {
    Search.scriptedBriefly()
        .sequentialSpecification(Unspecified.class)
        .addCustomScenario(
            scenario(List.of(call("permitOrReceive")), List.of(call("release")), List.of(call("trySend", 1))))
        .addCustomScenario(
            scenario(List.of(call("permitOrReceiveOrGiveUp")), List.of(call("release")), List.of(call("sendOrGiveUp", 1))))
        .addCustomScenario(
            scenario(
                List.of(call("permitOrReceiveOrGiveUp")),
                List.of(call("permitOrReceiveOrGiveUp")),
                List.of(call("release"))))
        .check(Selects.class);
  }

  private static Actor call(String operation, Object... arguments) {
    return Search.call(Selects.class, operation, arguments);
  }

  /** Two channels without a buffer, and a permit that somebody holds. */
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public static class Selects {
    private final Channel<Integer> a = Channel.rendezvous();
    private final Channel<Integer> b = Channel.rendezvous();
    private final Semaphore semaphore = Semaphore.of(1);

    /** One decimal place for each value. */
    private final AtomicInteger sent = new AtomicInteger();

    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger released = new AtomicInteger();

    public Selects() {
      semaphore.tryAcquire();
    }

    private Clause<Boolean> receiving(Channel<Integer> channel) {
      return Select.receive(channel, value -> count(received, value));
    }

    private Clause<Boolean> sending(Channel<Integer> channel, int value) {
      return Select.send(channel, value, () -> count(sent, value));
    }

    private Clause<Boolean> permit() {
      return Select.permit(
          semaphore,
          permit -> {
            permit.close();
            return true;
          });
    }

    private static boolean count(AtomicInteger sum, int value) {
      sum.addAndGet(value == 1 ? 1 : value == 2 ? 10 : 100);
      return true;
    }

    @Operation
    public void send(@Param(name = "value") int value) {
      Ends.onlyWhenWoken(() -> Select.of(sending(a, value), sending(b, value)).biased().run());
    }

    @Operation
    public void receive() {
      Ends.onlyWhenWoken(() -> Select.of(receiving(b), receiving(a)).biased().run());
    }

    @Operation
    public void sendOrReceive(@Param(name = "value") int value) {
      Ends.onlyWhenWoken(() -> Select.of(sending(a, value), receiving(a)).biased().run());
    }

    @Operation
    public void sendOrGiveUp(@Param(name = "value") int value) {
      Ends.byInterrupt(() -> Select.of(sending(a, value), sending(b, value)).biased().run());
    }

    @Operation
    public void receiveOrGiveUp() {
      Ends.byInterrupt(
          () -> {
            try {
              Select.of(receiving(b), receiving(a)).biased().run();
            } catch (ChannelClosedException e) {
              // nothing to receive
            }
          });
    }

    @Operation
    public void sendOrReceiveOrGiveUp(@Param(name = "value") int value) {
      Ends.byInterrupt(() -> Select.of(sending(a, value), receiving(a)).biased().run());
    }

    @Operation
    public void permitOrReceive() {
      Ends.onlyWhenWoken(() -> Select.of(permit(), receiving(a)).biased().run());
    }

    @Operation
    public void permitOrReceiveOrGiveUp() {
      Ends.byInterrupt(() -> Select.of(receiving(a), permit()).biased().run());
    }

    @Operation
    public void trySend(@Param(name = "value") int value) {
      if (a.trySend(value).isOk()) {
        count(sent, value);
      }
    }

    @Operation
    public void tryReceive() {
      a.tryReceive().value().ifPresent(value -> count(received, value));
    }

    @Operation
    public void close() {
      a.close();
      b.close();
    }

    @Operation
    public void release() {
      released.incrementAndGet();
      semaphore.release();
    }

    @Validate
    public void atRest() {
      int waiting = a.waitingReceivers() + a.waitingSenders() + b.waitingReceivers() + b.waitingSenders() + semaphore.waiting();
      if (sent.get() != received.get() || waiting != 0 || semaphore.available() != released.get()) {
        throw new IllegalStateException(sent + " sent, " + received + " received, " + waiting + " waiting, " + semaphore);
      }
    }
  }

  /** Nothing is said about results; alone, some would sleep for ever. */
  public static class Unspecified {
    public void send(int value) {}

    public void receive() {}

    public void sendOrReceive(int value) {}

    public void sendOrGiveUp(int value) {}

    public void receiveOrGiveUp() {}

    public void sendOrReceiveOrGiveUp(int value) {}

    public void permitOrReceive() {}

    public void permitOrReceiveOrGiveUp() {}

    public void trySend(int value) {}

    public void tryReceive() {}

    public void close() {}

    public void release() {}
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import static dev.baton.verify.lincheck.Search.scenario;

import dev.baton.channel.Channel;
import dev.baton.channel.Received;
import dev.baton.channel.Sent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Channels, waiting through futures that may be given up: each thread has one at a time. */
class ChannelModelTest {

  @Test
  void aRendezvousBehavesLikeItsSpecification() {
    Search.randomBriefly(3, 2).sequentialSpecification(OfNone.class).check(Rendezvous.class);
  }

  @Test
  void aBufferBehavesLikeItsSpecification() {
    Search.randomBriefly(3, 2).sequentialSpecification(OfOne.class).check(Buffered.class);
  }

  @Test
  void aFullBufferWithSendersBehindItIsNeverEmpty() {
    Search.scriptedBriefly()
        .sequentialSpecification(OfOne.class)
        .addCustomScenario(
            scenario(
                List.of(buffered("trySend", 1), buffered("startSend", 1, 2)),
                List.of(List.of(buffered("tryReceive")), List.of(buffered("tryReceive"), buffered("size"))),
                List.of(buffered("end", 1))))
        .check(Buffered.class);
  }

  @Test
  void aCancelThatMeetsADeliveryLosesNothing() {
    Search.scriptedBriefly()
        .sequentialSpecification(OfNone.class)
        .addCustomScenario(
            scenario(
                List.of(rendezvous("startReceive", 1), rendezvous("startReceive", 2)),
                List.of(List.of(rendezvous("trySend", 7)), List.of(rendezvous("end", 1))),
                List.of(rendezvous("end", 2), rendezvous("tryReceive"))))
        .addCustomScenario(
            scenario(
                List.of(rendezvous("startSend", 1, 7), rendezvous("startSend", 2, 8)),
                List.of(List.of(rendezvous("tryReceive")), List.of(rendezvous("end", 1))),
                List.of(rendezvous("end", 2), rendezvous("tryReceive"))))
        .check(Rendezvous.class);
  }

  @Test
  void theEndComesAfterTheLastValueAndForAll() {
    Search.scriptedBriefly()
        .sequentialSpecification(OfOne.class)
        .addCustomScenario(
            scenario(
                List.of(buffered("startReceive", 1)),
                List.of(List.of(buffered("trySend", 7)), List.of(buffered("close")), List.of(buffered("tryReceive"))),
                List.of(buffered("end", 1), buffered("tryReceive"))))
        .addCustomScenario(
            scenario(
                List.of(buffered("trySend", 1), buffered("startSend", 1, 2)),
                List.of(List.of(buffered("tryReceive")), List.of(buffered("close")), List.of(buffered("tryReceive"))),
                List.of(buffered("end", 1), buffered("tryReceive"))))
        .check(Buffered.class);
  }

  private static Actor rendezvous(String operation, Object... arguments) {
    return Search.call(Rendezvous.class, operation, arguments);
  }

  private static Actor buffered(String operation, Object... arguments) {
    return Search.call(Buffered.class, operation, arguments);
  }

  /** No room. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public static class Rendezvous {
    private final Futures futures = new Futures(Channel.rendezvous());

    @Operation
    public boolean startSend(@Param(name = "thread") int thread, @Param(name = "value") int value) {
      return futures.startSend(thread, value);
    }

    @Operation
    public boolean startReceive(@Param(name = "thread") int thread) {
      return futures.startReceive(thread);
    }

    @Operation
    public String end(@Param(name = "thread") int thread) {
      return futures.end(thread);
    }

    @Operation
    public String trySend(@Param(name = "value") int value) {
      return futures.trySend(value);
    }

    @Operation
    public String tryReceive() {
      return futures.tryReceive();
    }

    @Operation
    public void close() {
      futures.channel.close();
    }
  }

  /** Room for one. */
  @Param(name = "thread", gen = ThreadIdGen.class)
  @Param(name = "value", gen = IntGen.class, conf = "1:9")
  public static class Buffered {
    private final Futures futures = new Futures(Channel.buffered(1));

    @Operation
    public boolean startSend(@Param(name = "thread") int thread, @Param(name = "value") int value) {
      return futures.startSend(thread, value);
    }

    @Operation
    public boolean startReceive(@Param(name = "thread") int thread) {
      return futures.startReceive(thread);
    }

    @Operation
    public String end(@Param(name = "thread") int thread) {
      return futures.end(thread);
    }

    @Operation
    public String trySend(@Param(name = "value") int value) {
      return futures.trySend(value);
    }

    @Operation
    public String tryReceive() {
      return futures.tryReceive();
    }

    @Operation
    public void close() {
      futures.channel.close();
    }

    @Operation
    public int size() {
      return futures.channel.size();
    }
  }

  private static final class Futures {
    final Channel<Integer> channel;
    private final @Nullable CompletableFuture<?>[] futures = new CompletableFuture<?>[8];

    Futures(Channel<Integer> channel) {
      this.channel = channel;
    }

    boolean startSend(int thread, int value) {
      if (futures[thread] != null) {
        return false;
      }
      futures[thread] = channel.sendAsync(value);
      return true;
    }

    boolean startReceive(int thread) {
      if (futures[thread] != null) {
        return false;
      }
      futures[thread] = channel.receiveAsync();
      return true;
    }

    String end(int thread) {
      CompletableFuture<?> future = futures[thread];
      futures[thread] = null;
      if (future == null) {
        return "NONE";
      }
      if (future.cancel(false)) {
        return "GAVE_UP";
      }
      try {
        Object received = future.join();
        return received == null ? "SENT" : received.toString();
      } catch (CompletionException e) {
        return "CLOSED";
      }
    }

    String trySend(int value) {
      return switch (channel.trySend(value)) {
        case Sent.Ok<Integer>() -> "SENT";
        case Sent.Full<Integer>(Integer back) -> "FULL";
        case Sent<Integer> closed -> "CLOSED";
      };
    }

    String tryReceive() {
      return switch (channel.tryReceive()) {
        case Received.Value<Integer>(Integer value) -> value.toString();
        case Received.Empty<Integer>() -> "EMPTY";
        case Received<Integer> closed -> "CLOSED";
      };
    }
  }

  /** Without room. */
  public static class OfNone extends Spec {
    /** Empty. */
    public OfNone() {
      super(0);
    }
  }

  /** With room for one. */
  public static class OfOne extends Spec {
    /** Empty. */
    public OfOne() {
      super(1);
    }
  }

  /** The shortest form we know. */
  public abstract static class Spec {
    private final int capacity;
    private final Deque<Integer> items = new ArrayDeque<>();
    private final Deque<Integer> receivers = new ArrayDeque<>();
    private final Deque<Integer> senders = new ArrayDeque<>();
    private final Map<Integer, Integer> sending = new HashMap<>();

    /** What became of whoever has started. */
    private final Map<Integer, String> results = new HashMap<>();

    private boolean closed;

    Spec(int capacity) {
      this.capacity = capacity;
    }

    public boolean startSend(int thread, int value) {
      if (results.containsKey(thread)) {
        return false;
      }
      String now = trySend(value);
      results.put(thread, now.equals("FULL") ? "GAVE_UP" : now);
      if (now.equals("FULL")) {
        senders.add(thread);
        sending.put(thread, value);
      }
      return true;
    }

    public boolean startReceive(int thread) {
      if (results.containsKey(thread)) {
        return false;
      }
      String now = tryReceive();
      results.put(thread, now.equals("EMPTY") ? "GAVE_UP" : now);
      if (now.equals("EMPTY")) {
        receivers.add(thread);
      }
      return true;
    }

    public String end(int thread) {
      senders.remove(thread);
      receivers.remove(thread);
      String result = results.remove(thread);
      return result == null ? "NONE" : result;
    }

    public String trySend(int value) {
      if (closed) {
        return "CLOSED";
      }
      if (!receivers.isEmpty()) {
        results.put(receivers.poll(), String.valueOf(value));
        return "SENT";
      }
      if (items.size() == capacity) {
        return "FULL";
      }
      items.add(value);
      return "SENT";
    }

    public String tryReceive() {
      if (!senders.isEmpty()) {
        int sender = senders.poll();
        results.put(sender, "SENT");
        items.add(sending.get(sender));
      }
      Integer item = items.poll();
      return item != null ? item.toString() : closed ? "CLOSED" : "EMPTY";
    }

    public void close() {
      closed = true;
      senders.forEach(sender -> results.put(sender, "CLOSED"));
      senders.clear();
      if (items.isEmpty()) {
        receivers.forEach(receiver -> results.put(receiver, "CLOSED"));
        receivers.clear();
      }
    }

    public int size() {
      return items.size();
    }
  }
}

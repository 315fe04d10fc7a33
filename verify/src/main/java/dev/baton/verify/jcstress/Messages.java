// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.jcstress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.baton.channel.Channel;
import dev.baton.channel.ChannelClosedException;
import dev.baton.channel.Received;
import dev.baton.channel.Select;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What was written before a send is read by whoever has received the value; without a buffer also the other way round. The data is plain. */
public class Messages {

  private static final class Letter {
    int content;

    static Letter written() {
      Letter letter = new Letter();
      letter.content = 1;
      return letter;
    }
  }

  private static int content(Received<Letter> received) {
    return received instanceof Received.Value<Letter>(Letter letter) ? letter.content : -1;
  }

  /** Stored by one end, looked for by the other. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "nothing there yet, or all of it")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class BufferedLookedAt {
    private final Channel<Letter> channel = Channel.buffered(1);

    @Actor
    public void send() {
      channel.trySend(Letter.written());
    }

    @Actor
    public void receive(I_Result r) {
      r.r1 = content(channel.tryReceive());
    }
  }

  /** Stored while the receiver comes: taken from the buffer, or handed over to it. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "all of it")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class BufferedAwaited {
    private final Channel<Letter> channel = Channel.buffered(1);

    @Actor
    public void send() {
      channel.sendUninterruptibly(Letter.written());
    }

    @Actor
    public void receive(I_Result r) {
      r.r1 = channel.receiveUninterruptibly().content;
    }
  }

  /** Three values through room for one: the second and the third come from a sender that had to wait. */
  @JCStressTest
  @Outcome(id = "111", expect = ACCEPTABLE, desc = "all of each")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class MoreThanThereIsRoomFor {
    private final Channel<Letter> channel = Channel.buffered(1);

    @Actor
    public void send() {
      for (int i = 0; i < 3; i++) {
        channel.sendUninterruptibly(Letter.written());
      }
    }

    @Actor
    public void receive(I_Result r) {
      for (int i = 0; i < 3; i++) {
        r.r1 = 10 * r.r1 + channel.receiveUninterruptibly().content;
      }
    }
  }

  /** The slots are replaced while values are taken out of them. */
  @JCStressTest
  @Outcome(id = {"16, -1", "16, 1"}, expect = ACCEPTABLE, desc = "all of each; the last one may not be there yet")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class TakenAsTheBufferGrows {
    /** As many as a new buffer has slots for. */
    private static final int BEFORE = 16;

    private final Channel<Letter> channel = Channel.unlimited();

    /** Without a free slot. */
    public TakenAsTheBufferGrows() {
      for (int i = 0; i < BEFORE; i++) {
        channel.trySend(Letter.written());
      }
    }

    @Actor
    public void send() {
      channel.trySend(Letter.written());
    }

    @Actor
    public void receive(II_Result r) {
      for (int i = 0; i < BEFORE; i++) {
        r.r1 += content(channel.tryReceive());
      }
      r.r2 = content(channel.tryReceive());
    }
  }

  /** Each sees what the other did before they met. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class Rendezvous {
    private final Channel<String> channel = Channel.rendezvous();
    private int left;
    private int right;

    @Actor
    public void send(II_Result r) {
      left = 1;
      channel.sendUninterruptibly("now");
      r.r1 = right;
    }

    @Actor
    public void receive(II_Result r) {
      right = 1;
      channel.receiveUninterruptibly();
      r.r2 = left;
    }
  }

  /** A receiver that stands in line already, and looks from outside whether it has been served. */
  @JCStressTest
  @Outcome(id = {"-1", "1"}, expect = ACCEPTABLE, desc = "not served yet, or all of it")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class HandedOverToAFuture {
    private final Channel<Letter> channel = Channel.rendezvous();
    private final CompletableFuture<Letter> future = channel.receiveAsync();

    @Actor
    public void send() {
      channel.trySend(Letter.written());
    }

    @Actor
    public void look(I_Result r) {
      r.r1 = future.isDone() ? future.join().content : -1;
    }
  }

  /** One that waits at two channels. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "all of it")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class Selected {
    private final Channel<Letter> silent = Channel.buffered(1);
    private final Channel<Letter> channel = Channel.rendezvous();

    @Actor
    public void send() {
      channel.sendUninterruptibly(Letter.written());
    }

    @Actor
    public void select(I_Result r) {
      try {
        r.r1 =
            Select.of(
                    Select.receive(silent, letter -> 0),
                    Select.receive(channel, letter -> letter.content))
                .run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A value, then the end: whoever sees the end has missed nothing, and sees what was done before. */
  @JCStressTest
  @Outcome(id = {"1, -1", "1, 1"}, expect = ACCEPTABLE, desc = "the value, and the end if it has come")
  @Outcome(id = {"-1, -1", "-1, 1"}, expect = ACCEPTABLE, desc = "too early for the first; then nothing still, or the value")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class ValueAndEnd {
    private final Channel<Letter> channel = Channel.buffered(1);
    private int data;

    @Actor
    public void send() {
      channel.trySend(Letter.written());
      data = 1;
      channel.close();
    }

    @Actor
    public void receive(II_Result r) {
      r.r1 = content(channel.tryReceive());
      r.r2 =
          switch (channel.tryReceive()) {
            case Received.Closed<Letter>() -> r.r1 == 1 ? data : 0;
            case Received.Value<Letter>(Letter letter) -> r.r1 == -1 ? letter.content : 0;
            default -> -1;
          };
    }
  }

  /** The end for one that waits. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "told, and the data seen")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class EndAwaited {
    private final Channel<Letter> channel = Channel.rendezvous();
    private int data;

    @Actor
    public void close() {
      data = 1;
      channel.close();
    }

    @Actor
    public void receive(I_Result r) {
      try {
        channel.receiveUninterruptibly();
      } catch (ChannelClosedException e) {
        r.r1 = data;
      }
    }
  }

  /** A value that is sent as the channel ends is refused, or there to be received. */
  @JCStressTest
  @Outcome(id = {"1, 1", "0, -1"}, expect = ACCEPTABLE, desc = "sent and there, or refused and not")
  @Outcome(expect = FORBIDDEN)
  @State
  public static class SendAgainstEnd {
    private final Channel<Letter> channel = Channel.buffered(1);

    @Actor
    public void send(II_Result r) {
      r.r1 = channel.trySend(Letter.written()).isOk() ? 1 : 0;
    }

    @Actor
    public void close() {
      channel.close();
    }

    @Arbiter
    public void end(II_Result r) {
      r.r2 = content(channel.tryReceive());
    }
  }
}

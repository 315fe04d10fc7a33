// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Callbacks;
import dev.baton.host.Host;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests in the order in which they come. One that comes while little is under way is sent at once and by itself; those that come while much
 * is wait for the next answer, and share a call then. So a busy process is not slowed down by the price of each call, nor is its server.
 *
 * <pre>
 *   send ──▶ queue ──batch──▶ under way ──answer──▶ whoever asked is told; what they ask for next, with what stands in the queue, is the next batch
 * </pre>
 *
 * Whoever is told that it has what it waited for mostly gives it back soon, and somebody waits for that. So such releases are waited for, and others
 * who ask stand back until then; but not for all of them together if two calls may be under way: while the server works on one half, the other
 * half is on its way, or held.
 *
 * <p>The thread of the connection sends nothing itself: what it sends overtakes what others have sent before.
 */
final class Sender {
  /**
   * How many calls may be under way before others wait for an answer: one that the server works on, and one that it finds when it has
   * done. With more, each would carry less, and what a call costs by itself is most of what it costs.
   */
  private static final int UNDER_WAY = 2;

  /** As many as a server does in a few hundred microseconds, in which it does nothing else. */
  private static final int MOST = 32;

  /** If nothing was sent for so long then answers take their time, and are not waited for. */
  private static final long PATIENCE = 10_000_000;

  private final Host host;
  private final Script script;
  private final RedisClusterAsyncCommands<String, String> connection;

  /** Held while calls leave: they leave in the order in which they came. Others may ask meanwhile, so this is not the lock of the queue. */
  private final Object order = new Object();

  // Guarded by this.
  private final ArrayDeque<Call> queue = new ArrayDeque<>();
  private int releases; // of those in the queue
  private int underWay;
  private int answered; // and whoever was told may be about to ask for something
  private int calls; // of both
  private int left; // batches, so far
  private long leftAt;

  /** How many releases are waited for, of those who were told that they have something. */
  private int awaited;

  /** The answer that was the last to tell of something, until it has gone on. */
  private @Nullable Turn last;

  Sender(Host host, Script script, RedisClusterAsyncCommands<String, String> connection) {
    this.host = host;
    this.script = script;
    this.connection = connection;
  }

  /** Sends it now or with the next answer. Not by a thread of a connection. */
  void send(Call call) {
    if (begins(call)) {
      leave();
    }
  }

  /** The same, by any thread. */
  void sendSoon(Call call) {
    if (begins(call)) {
      Callbacks.start(host, this::leave);
    }
  }

  /** Sends all that has not been sent yet. */
  void flush() {
    List<Script.Batch> batches = new ArrayList<>();
    synchronized (order) {
      for (List<Call> some = take(); !some.isEmpty(); some = take()) {
        Script.Batch batch = batch(some);
        if (batch != null) {
          batches.add(batch);
        }
      }
    }
    batches.forEach(batch -> batch.follow(() -> {}));
  }

  /** Puts it into the queue. True: whoever asks has a place among those under way now, and must {@link #leave}. */
  private synchronized boolean begins(Call call) {
    queue.add(call);
    if (call.gives) {
      releases++;
    }
    boolean begins = mayBegin() || host.nanoTime() - leftAt >= PATIENCE;
    if (begins) {
      underWay++;
    }
    return begins;
  }

  private boolean mayBegin() {
    if (awaited > 0) {
      int free = UNDER_WAY - underWay;
      return free > 0 && releases * free >= awaited;
    }
    int busy = underWay + answered;
    // One that carries less than the other would be in its way more than it gains.
    return busy == 0 || (busy < UNDER_WAY && queue.size() >= calls);
  }

  /** Sends what has come. */
  private void leave() {
    Turn turn;
    Script.Batch batch;
    synchronized (order) {
      List<Call> some;
      synchronized (this) {
        some = take();
        if (some.isEmpty()) {
          underWay--;
          return;
        }
        calls += some.size();
      }
      turn = new Turn(some.size());
      batch = batch(some);
    }
    if (batch != null) {
      batch.follow(turn);
    } else {
      turn.ends();
    }
  }

  /** Sends them. Null: that failed, even by an error such as a full stack, and everybody has been told. */
  private Script.@Nullable Batch batch(List<Call> some) {
    try {
      return script.new Batch(connection, some);
    } catch (Throwable failure) {
      some.forEach(call -> call.failed(failure));
      return null;
    }
  }

  /** What leaves next. */
  private synchronized List<Call> take() {
    List<Call> some = new ArrayList<>(Math.min(queue.size(), MOST));
    while (!queue.isEmpty() && some.size() < MOST) {
      Call call = queue.remove();
      if (call.gives) {
        releases--;
        awaited = Math.max(0, awaited - 1);
      }
      some.add(call);
    }
    left++;
    leftAt = host.nanoTime();
    return some;
  }

  /** One of those under way. */
  private final class Turn implements Script.Following {
    private final int size;

    // Guarded by the sender.
    private boolean isAnswered;
    private int leftBefore;

    /** One that carries so many calls. */
    Turn(int size) {
      this.size = size;
    }

    @Override
    public void begins(int told) {
      synchronized (Sender.this) {
        answered();
        awaited += told;
        last = this;
      }
    }

    /** The batch was answered, or failed. */
    @Override
    public void ends() {
      synchronized (Sender.this) {
        if (!isAnswered) {
          answered();
          if (queue.isEmpty() && size == 1) {
            over();
            return;
          }
        }
      }
      // After those who were told now, and may have something to ask for.
      Callbacks.start(host, this::goOn);
    }

    private void answered() {
      isAnswered = true;
      underWay--;
      answered++;
      leftBefore = left;
    }

    private void over() {
      answered--;
      calls -= size;
    }

    /** Sends what has come meanwhile, unless somebody has. */
    private void goOn() {
      synchronized (Sender.this) {
        over();
        if (last == this) {
          // Whoever has not given it back by now may keep it for long.
          last = null;
          awaited = 0;
        }
        if (queue.isEmpty() || underWay >= UNDER_WAY || (left != leftBefore && !mayBegin())) {
          return;
        }
        underWay++;
      }
      leave();
    }
  }
}

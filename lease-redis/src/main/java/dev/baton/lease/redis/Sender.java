// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Callbacks;
import dev.baton.host.Host;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests in the order in which they come. One that comes while little is under way is sent at once and by itself; those that come while much
 * is wait for the next answer, and share a call then. So a busy process is not slowed down by the price of each call, nor is its server.
 *
 * <pre>
 *   send ──▶ queue ──batch──▶ under way ──answer──▶ whoever asked is told; what they ask for next, with what stands in the queue, is the next batch
 * </pre>
 *
 * Whoever is told that it has what it waited for mostly gives it back soon, and somebody waits for that: the next batch leaves with the last of these
 * releases, and does not wait for the others who were told.
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

  // Guarded by this.
  private final ArrayDeque<Call> queue = new ArrayDeque<>();
  private int underWay;
  private long sentAt;

  /** The answer that has told somebody of a grant, if that was the latest and nothing was sent since in its place. */
  private @Nullable Turn latest;

  Sender(Host host, Script script, RedisClusterAsyncCommands<String, String> connection) {
    this.host = host;
    this.script = script;
    this.connection = connection;
  }

  /** Sends it now or with the next answer. Not by a thread of a connection. */
  void send(Call call) {
    Turn turn;
    synchronized (this) {
      queue.add(call);
      Turn before = call.gives ? latest : null;
      if (before != null ? --before.awaited > 0 : !mayBegin()) {
        return;
      }
      if (before == null) {
        underWay++;
        turn = new Turn().next();
      } else {
        latest = null;
        turn = before.next();
      }
    }
    turn.follow();
  }

  /** The same, by any thread. */
  void sendSoon(Call call) {
    Turn turn = new Turn();
    synchronized (this) {
      queue.add(call);
      if (!mayBegin()) {
        return;
      }
      underWay++;
    }
    Callbacks.start(host, turn::goOn);
  }

  /** Sends all that has not been sent yet. */
  void flush() {
    List<Script.Batch> batches = new ArrayList<>();
    synchronized (this) {
      while (!queue.isEmpty()) {
        batches.add(next());
      }
    }
    batches.forEach(batch -> batch.follow(() -> {}));
  }

  private boolean mayBegin() {
    return underWay < UNDER_WAY || host.nanoTime() - sentAt >= PATIENCE;
  }

  /** With the lock: so batches leave in the order in which they were made. */
  private Script.Batch next() {
    List<Call> calls = new ArrayList<>(Math.min(queue.size(), MOST));
    while (!queue.isEmpty() && calls.size() < MOST) {
      calls.add(queue.remove());
    }
    sentAt = host.nanoTime();
    return script.new Batch(connection, calls);
  }

  /** One of those that may be under way. */
  private final class Turn implements Script.Following {
    // Guarded by the sender.
    private Script.@Nullable Batch batch;

    /** Whether another one has this place now, or nobody. */
    private boolean passed;

    /** How many releases are waited for. */
    private int awaited;

    /** The next batch takes this place. With the lock. */
    Turn next() {
      passed = true;
      Turn turn = new Turn();
      turn.batch = Sender.this.next();
      return turn;
    }

    void follow() {
      Objects.requireNonNull(batch).follow(this);
    }

    @Override
    public void begins(int told) {
      synchronized (Sender.this) {
        awaited = told;
        latest = this;
      }
    }

    /** The batch was answered, or failed. */
    @Override
    public void ends() {
      synchronized (Sender.this) {
        if (passed) {
          return;
        }
        if (queue.isEmpty() && Objects.requireNonNull(batch).size() == 1) {
          end();
          return;
        }
      }
      // After those who were told now, and may have something to ask for.
      Callbacks.start(host, this::goOn);
    }

    private void end() {
      passed = true;
      underWay--;
      if (latest == this) {
        latest = null;
      }
    }

    /** Goes on in the place of a batch that has ended. */
    void goOn() {
      Turn turn;
      synchronized (Sender.this) {
        if (passed) {
          return;
        }
        if (queue.isEmpty()) {
          end();
          return;
        }
        if (latest == this) {
          latest = null;
        }
        turn = next();
      }
      turn.follow();
    }
  }
}

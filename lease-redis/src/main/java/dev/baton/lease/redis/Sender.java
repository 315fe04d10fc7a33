// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Callbacks;
import dev.baton.host.Host;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends requests in the order in which they come. One that comes while little is under way is sent at once and by itself; those that come while much
 * is wait for the next answer, and share a call then. So a busy process is not slowed down by the price of each call, nor is its server.
 *
 * <pre>
 *   send ──▶ queue ──batch──▶ under way ──answer──▶ whoever asked is told; what they ask for next, with what stands in the queue, is the next batch
 * </pre>
 *
 * The thread of the connection sends nothing itself: what it sends overtakes what others have sent before.
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

  Sender(Host host, Script script, RedisClusterAsyncCommands<String, String> connection) {
    this.host = host;
    this.script = script;
    this.connection = connection;
  }

  /** Sends it now or with the next answer. Not by a thread of a connection. */
  void send(Call call) {
    Script.Batch batch;
    synchronized (this) {
      queue.add(call);
      if (!mayBegin()) {
        return;
      }
      underWay++;
      batch = next();
    }
    batch.follow(() -> ended(batch.size()));
  }

  /** The same, by any thread. */
  void sendSoon(Call call) {
    synchronized (this) {
      queue.add(call);
      if (!mayBegin()) {
        return;
      }
      underWay++;
    }
    Callbacks.start(host, this::goOn);
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

  /** A batch was answered, or failed. */
  private void ended(int size) {
    synchronized (this) {
      if (size == 1 && queue.isEmpty()) {
        underWay--;
        return;
      }
    }
    // After those who were told now, and may have something to ask for.
    Callbacks.start(host, this::goOn);
  }

  /** Goes on in the place of a batch that has ended. */
  private void goOn() {
    Script.Batch batch;
    synchronized (this) {
      if (queue.isEmpty()) {
        underWay--;
        return;
      }
      batch = next();
    }
    batch.follow(() -> ended(batch.size()));
  }
}

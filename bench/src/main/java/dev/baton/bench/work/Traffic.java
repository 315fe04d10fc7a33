// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Pipes, and workers at their ends that have a fixed number of messages each. All workers are started together, and waited for
 * until the last of them is done.
 */
abstract class Traffic {
  private static final long END_SECONDS = 60;
  private static final int KINDS = 128; // so small that all of them are boxed already

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final LongAdder received = new LongAdder();
  private CountDownLatch running = new CountDownLatch(0);
  private int workers;
  private long sent;

  static Traffic of(Peer peer) {
    return peer.suspends() ? new CoroutineTraffic(peer) : new ThreadTraffic(peer);
  }

  /** As many who send as who receive, at one pipe. */
  static Traffic manyToMany(Peer peer, int capacity, int pairs, int messages) {
    Expect.equal("messages left over", 0, messages % pairs);
    Traffic traffic = of(peer);
    int pipe = traffic.pipe(capacity);
    for (int i = 0; i < pairs; i++) {
      traffic.sender(pipe, messages / pairs);
      traffic.receiver(pipe, messages / pairs);
    }
    return traffic;
  }

  /** Lays a pipe, and returns its number. */
  abstract int pipe(int capacity);

  /** Adds a worker who sends so many messages. */
  final void sender(int pipe, int messages) {
    workers++;
    long rounds = messages / KINDS;
    long rest = messages % KINDS;
    sent += rounds * (KINDS * (KINDS - 1) / 2) + rest * (rest - 1) / 2;
    addSender(pipe, messages);
  }

  /** Adds a worker who receives so many messages, and adds them up. */
  final void receiver(int pipe, int messages) {
    workers++;
    addReceiver(pipe, messages);
  }

  abstract void addSender(int pipe, int messages);

  abstract void addReceiver(int pipe, int messages);

  abstract void start();

  /** Breaks the waits of those who will never be done. */
  abstract void interrupt();

  static Integer message(int number) {
    return number % KINDS;
  }

  /** Runs it, once. */
  final void run() throws InterruptedException {
    running = new CountDownLatch(workers);
    start();
    boolean ended = running.await(END_SECONDS, TimeUnit.SECONDS);
    Throwable cause = failure.get();
    if (!ended || cause != null) {
      interrupt();
      String what = cause == null ? running.getCount() + " of " + workers + " workers were never done" : "a worker failed";
      throw new IllegalStateException(what, cause);
    }
    Expect.equal("sum of the messages received", sent, received.sum());
  }

  final void received(long sum) {
    received.add(sum);
  }

  final void ended() {
    running.countDown();
  }

  /** Ends the wait for the others too: they may wait for this one. */
  final void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
    while (running.getCount() > 0) {
      running.countDown();
    }
  }
}

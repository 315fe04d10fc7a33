// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
  private static final Duration END = Duration.ofMinutes(1);
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

  /** One sender for each of several pipes, and one receiver who takes whatever is there first. */
  static Traffic select(Peer peer, int channels, int capacity, @Nullable Duration timeout, int messages) {
    Expect.equal("messages left over", 0, messages % channels);
    Traffic traffic = of(peer);
    List<Integer> pipes = new ArrayList<>();
    for (int i = 0; i < channels; i++) {
      pipes.add(traffic.pipe(capacity));
      traffic.sender(i, messages / channels);
    }
    traffic.selector(pipes, timeout, messages);
    return traffic;
  }

  /** So many pipes, with a worker between any two who passes on what it receives. A message counts once per pipe. */
  static Traffic chain(Peer peer, int length, int capacity, int messages) {
    Expect.equal("messages left over", 0, messages % length);
    Traffic traffic = of(peer);
    int each = messages / length;
    traffic.sender(traffic.pipe(capacity), each);
    for (int i = 1; i < length; i++) {
      traffic.passer(i - 1, traffic.pipe(capacity), each);
    }
    traffic.receiver(length - 1, each);
    return traffic;
  }

  /** So many pipes with one who sends and one who receives each. */
  static Traffic parallel(Peer peer, int pairs, int capacity, int messages) {
    Expect.equal("messages left over", 0, messages % pairs);
    Traffic traffic = of(peer);
    for (int i = 0; i < pairs; i++) {
      int pipe = traffic.pipe(capacity);
      traffic.sender(pipe, messages / pairs);
      traffic.receiver(pipe, messages / pairs);
    }
    return traffic;
  }

  /** Lays a pipe, and returns its number: the first has 0, the next 1. */
  abstract int pipe(int capacity);

  /** Adds a worker who sends so many messages. */
  final void sender(int to, int messages) {
    workers++;
    long rounds = messages / KINDS;
    long rest = messages % KINDS;
    sent += rounds * (KINDS * (KINDS - 1) / 2) + rest * (rest - 1) / 2;
    addSender(to, messages);
  }

  /** Adds a worker who receives so many messages, and adds them up. */
  final void receiver(int from, int messages) {
    workers++;
    addReceiver(from, messages);
  }

  /** The same from several pipes. */
  final void selector(List<Integer> from, @Nullable Duration timeout, int messages) {
    workers++;
    addSelector(from, timeout, messages);
  }

  /** Adds a worker who sends on each of so many messages as soon as it has received it. */
  final void passer(int from, int to, int messages) {
    workers++;
    addPasser(from, to, messages);
  }

  abstract void addSender(int to, int messages);

  abstract void addReceiver(int from, int messages);

  abstract void addSelector(List<Integer> from, @Nullable Duration timeout, int messages);

  abstract void addPasser(int from, int to, int messages);

  abstract void start();

  /** Breaks the waits of those who will never be done. */
  abstract void interrupt();

  static Integer message(int number) {
    return number % KINDS;
  }

  /** Runs it, once. */
  final void run() throws InterruptedException {
    run(END);
  }

  final void run(Duration longest) throws InterruptedException {
    running = new CountDownLatch(workers);
    start();
    boolean ended = running.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    Throwable cause = failure.get();
    if (!ended || cause != null) {
      // Counted before they are interrupted, which ends them.
      String what = cause == null ? running.getCount() + " of " + workers + " workers were never done" : "a worker failed";
      interrupt();
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

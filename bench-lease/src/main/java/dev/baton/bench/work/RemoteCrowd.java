// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Virtual threads that acquire and release, over and over, what a server keeps: all of them a permit of one name, or each of them one of a name
 * of its own. They have nothing to do inside.
 */
final class RemoteCrowd extends Crowd {
  private static final double P99 = 0.99;
  private static final double PERCENT = 100;
  private static final int COUNTED = 200;

  private final @Nullable RedisProcess redis;
  private final RemoteStore store;
  private final List<RemoteGate> gates = new ArrayList<>();
  private final int permits;
  private final boolean guarded;
  private final Thread[] threads;
  private final Waits[] waits;
  private final AtomicInteger inside = new AtomicInteger();
  private double commandsPerAcquire = -1;
  private double commandsPerRelease = -1;
  private long[] waitsMark = Waits.none();
  private long commandsMark;

  /** @param names how many names there are for the callers, in turn */
  RemoteCrowd(Peer peer, int size, int names, int permits) throws Exception {
    super(size);
    this.permits = permits;
    this.guarded = names == 1 && peer != Peer.BARE_PINGS;
    this.threads = new Thread[size];
    this.waits = new Waits[size];
    this.redis = RemoteStore.serverOf(peer);
    try {
      this.store = RemoteStore.of(peer, redis, size);
      try {
        for (int i = 0; i < names; i++) {
          gates.add(store.gate("bench-" + i, permits));
        }
        for (int i = 0; i < size; i++) {
          waits[i] = new Waits();
        }
        if (names == size) {
          countCommands();
        }
      } catch (Throwable failed) {
        store.close();
        throw failed;
      }
    } catch (Throwable failed) {
      closeServer();
      throw failed;
    }
  }

  /** What acquiring and what releasing sends where nobody is in the way; before anything is timed. */
  private void countCommands() throws Exception {
    RedisProcess server = redis;
    if (server == null) {
      return;
    }
    RemoteGate gate = gates.getFirst();
    gate.release(gate.acquire()); // a script that the server does not know yet is sent twice
    long toAcquire = 0;
    long toRelease = 0;
    for (int i = 0; i < COUNTED; i++) {
      long start = server.commands();
      Object held = gate.acquire();
      long middle = server.commands();
      gate.release(held);
      toAcquire += middle - start;
      toRelease += server.commands() - middle;
    }
    commandsPerAcquire = (double) toAcquire / COUNTED;
    commandsPerRelease = (double) toRelease / COUNTED;
  }

  @Override
  void start() {
    for (int i = 0; i < size; i++) {
      int worker = i;
      threads[i] = Thread.ofVirtual().start(() -> work(worker));
    }
  }

  private void work(int worker) {
    RemoteGate gate = gates.get(worker % gates.size());
    try {
      while (!stopped()) {
        long asked = System.nanoTime();
        Object held = gate.acquire();
        try {
          waits[worker].add(System.nanoTime() - asked);
          if (inside.incrementAndGet() > permits && guarded) {
            throw new IllegalStateException("more than " + permits + " were inside");
          }
          count(worker);
        } finally {
          inside.decrementAndGet();
          gate.release(held);
        }
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      ended();
    }
  }

  /** Starts an iteration; to be called after {@link #mark}. */
  void markRemote() {
    waitsMark = waits();
    commandsMark = commands();
  }

  /** Reports what was done since {@link #markRemote}; to be called after {@link #sample}. */
  void sampleRemote(Costs costs, RemoteCosts remote) {
    long[] since = waits();
    for (int i = 0; i < since.length; i++) {
      since[i] -= waitsMark[i];
    }
    remote.p99WaitNanos = Waits.percentile(since, P99);
    remote.spreadPercent =
        costs.mostPerWorker == 0 ? 0 : PERCENT * (costs.mostPerWorker - costs.leastPerWorker) / costs.mostPerWorker;
    remote.commandsPerRound = redis == null ? -1 : (double) (commands() - commandsMark) / Math.max(1, costs.rounds);
    remote.commandsPerAcquire = commandsPerAcquire;
    remote.commandsPerRelease = commandsPerRelease;
  }

  private long[] waits() {
    long[] sums = Waits.none();
    for (Waits one : waits) {
      one.addTo(sums);
    }
    return sums;
  }

  private long commands() {
    return redis == null ? 0 : redis.commands();
  }

  @Override
  void interrupt() {
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }

  @Override
  void check() {
    try {
      for (RemoteGate gate : gates) {
        Expect.equal("free permits after the last caller left", permits, gate.free());
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("the server does not say what is free", e);
    }
  }

  /** Ends the callers, checks what they did, and ends the server in any case. */
  void close() throws Exception {
    try {
      stop();
    } finally {
      try {
        store.close();
      } finally {
        closeServer();
      }
    }
  }

  private void closeServer() {
    if (redis != null) {
      redis.close();
    }
  }
}

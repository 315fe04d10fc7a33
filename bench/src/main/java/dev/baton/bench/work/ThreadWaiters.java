// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Gate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Virtual threads that wait to enter; the thread that made them is inside. */
final class ThreadWaiters implements Waiters {
  private final Gate gate;
  private final Thread[] threads;
  private final AtomicInteger interrupted = new AtomicInteger();
  private final CountDownLatch running;

  ThreadWaiters(Gate gate, int size) {
    this.gate = gate;
    threads = new Thread[size];
    running = new CountDownLatch(size);
  }

  @Override
  public void queue() throws InterruptedException {
    gate.enter();
    for (int i = 0; i < threads.length; i++) {
      threads[i] = Thread.ofVirtual().start(this::waitAtGate);
    }
    for (Thread thread : threads) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
    }
  }

  private void waitAtGate() {
    try {
      gate.enter();
      gate.leave();
    } catch (InterruptedException e) {
      interrupted.incrementAndGet();
    } finally {
      running.countDown();
    }
  }

  @Override
  public void interruptAll() {
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }

  @Override
  public void awaitEnd() throws InterruptedException {
    running.await();
  }

  @Override
  public void verify() {
    Expect.equal("waiters that were interrupted", threads.length, interrupted.get());
    Expect.equal("free permits while the only one is held", 0, gate.free());
    gate.leave();
    Expect.equal("free permits at the end", 1, gate.free());
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Gate;

/** A crowd of virtual threads. */
final class ThreadCrowd extends GateCrowd {
  private final Gate gate;
  private final Section section;
  private final Turns turns;
  private final Thread[] threads;

  ThreadCrowd(Gate gate, int permits, int size, Section section, Turns turns) {
    super(size, permits);
    this.gate = gate;
    this.section = section;
    this.turns = turns;
    threads = new Thread[size];
  }

  @Override
  void start() {
    for (int i = 0; i < size; i++) {
      int worker = i;
      threads[i] = Thread.ofVirtual().start(() -> work(worker));
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the only way to let others run, and not a hint for virtual threads
  private void work(int worker) {
    try {
      for (long round = 1; !stopped(); round++) {
        gate.enter();
        try {
          section.run();
          countInside(worker);
        } finally {
          gate.leave();
        }
        if (turns.over(round)) {
          Thread.yield();
        }
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      ended();
    }
  }

  @Override
  void interrupt() {
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }

  @Override
  long free() {
    return gate.free();
  }
}

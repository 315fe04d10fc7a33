// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.RwGate;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A crowd of virtual threads that read twice for each time they write. All do the same, so that every implementation does the
 * same work: were some always readers, one that prefers readers would do more reads, and look faster for it.
 */
final class RwCrowd extends Crowd {
  private static final int KINDS = 3;

  private final RwGate gate;
  private final Section section;
  private final Thread[] threads;
  private final AtomicLong written = new AtomicLong();

  // Guarded by the gate. Readers see them differ if they are let in beside a writer; two writers lose an update.
  private long started;
  private long finished;

  RwCrowd(RwGate gate, int size, Section section) {
    super(size);
    this.gate = gate;
    this.section = section;
    threads = new Thread[size];
  }

  @Override
  void start() {
    for (int i = 0; i < size; i++) {
      int worker = i;
      threads[i] = Thread.ofVirtual().start(() -> work(worker));
    }
  }

  private void work(int worker) {
    long writes = 0;
    try {
      // Each begins at another point: else all would write at the same time, and then all would read.
      for (int kind = worker % KINDS; !stopped(); kind = kind == KINDS - 1 ? 0 : kind + 1) {
        if (kind == 0) {
          write(worker);
          writes++;
        } else {
          read(worker);
        }
      }
    } catch (Throwable e) {
      failed(e);
    } finally {
      written.addAndGet(writes);
      ended();
    }
  }

  private void read(int worker) throws InterruptedException {
    long stamp = gate.startRead();
    try {
      long before = started;
      Expect.equal("writes finished when a reader comes in", before, finished);
      section.run();
      Expect.equal("writes started when it leaves", before, started);
      count(worker);
    } finally {
      gate.endRead(stamp);
    }
  }

  private void write(int worker) throws InterruptedException {
    long stamp = gate.startWrite();
    try {
      started++;
      section.run();
      finished++;
      count(worker);
    } finally {
      gate.endWrite(stamp);
    }
  }

  @Override
  void interrupt() {
    for (Thread thread : threads) {
      thread.interrupt();
    }
  }

  @Override
  void check() {
    Expect.equal("writes counted under the lock", written.get(), finished);
    Expect.equal("locks still held", 0, gate.isIdle() ? 0 : 1);
  }
}

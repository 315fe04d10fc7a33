// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Batches;
import dev.baton.bench.peer.Peer;
import java.util.List;

/**
 * One virtual thread puts the items of a batch one by one, another takes them together and says that it has; only then comes the next
 * batch. A round is a batch.
 */
final class BatchCrowd extends Crowd {
  private static final Object LAST = "last";
  private static final Object ITEM = "item";

  private final Batches items;
  private final Batches answers;
  private final int batch;
  private final Thread[] threads = new Thread[2];

  BatchCrowd(Peer peer, int batch) {
    super(2);
    items = peer.batches();
    answers = peer.batches();
    this.batch = batch;
  }

  @Override
  void start() {
    threads[0] = Thread.ofVirtual().start(() -> run(this::put));
    threads[1] = Thread.ofVirtual().start(() -> run(this::take));
  }

  private void run(Section side) {
    try {
      side.run();
    } catch (Throwable e) {
      failed(e);
    } finally {
      ended();
    }
  }

  private void put() throws InterruptedException {
    boolean last = false;
    while (!last) {
      last = stopped();
      for (int i = 0; i < batch; i++) {
        items.put(last ? LAST : ITEM);
      }
      answers.take(1);
    }
  }

  private void take() throws InterruptedException {
    boolean last = false;
    while (!last) {
      List<Object> taken = items.take(batch);
      Expect.equal("items of one batch", batch, taken.size());
      last = taken.getLast() == LAST;
      if (!last) {
        count(0);
      }
      answers.put(ITEM);
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
    Expect.equal("items and answers left", 0, items.size() + answers.size());
  }
}

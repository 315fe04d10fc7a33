// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/** What one writes with the JDK for one taker: drain what is there, wait for one more, and so on. Two takers could starve each other. */
record LinkedBatches(LinkedBlockingQueue<Object> queue) implements Batches {
  LinkedBatches() {
    this(new LinkedBlockingQueue<>());
  }

  @Override
  public void put(Object item) {
    queue.add(item);
  }

  @Override
  public List<Object> take(int n) throws InterruptedException {
    List<Object> items = new ArrayList<>(n);
    queue.drainTo(items, n);
    while (items.size() < n) {
      items.add(queue.take());
      queue.drainTo(items, n - items.size());
    }
    return items;
  }

  @Override
  public int size() {
    return queue.size();
  }
}

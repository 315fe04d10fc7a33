// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.pattern.BatchQueue;
import java.util.List;

record BatonBatches(BatchQueue<Object> queue) implements Batches {
  BatonBatches() {
    this(new BatchQueue<>());
  }

  @Override
  public void put(Object item) {
    queue.put(item);
  }

  @Override
  public List<Object> take(int n) throws InterruptedException {
    return queue.getMany(n);
  }

  @Override
  public int size() {
    return queue.size();
  }
}

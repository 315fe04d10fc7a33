// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.concurrent.BlockingQueue;

/** A queue whose {@code put} waits: for room, or to be taken from. */
record QueuePipe(BlockingQueue<Integer> queue) implements Pipe {
  @Override
  public void send(Integer message) throws InterruptedException {
    queue.put(message);
  }

  @Override
  public Integer receive() throws InterruptedException {
    return queue.take();
  }
}

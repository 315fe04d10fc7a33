// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.concurrent.TransferQueue;

/** A queue that never lacks room, used as a rendezvous. */
record TransferPipe(TransferQueue<Integer> queue) implements Pipe {
  @Override
  public void send(Integer message) throws InterruptedException {
    queue.transfer(message);
  }

  @Override
  public Integer receive() throws InterruptedException {
    return queue.take();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.channel.Channel;

record BatonPipe(Channel<Integer> channel) implements Pipe {
  BatonPipe(int capacity) {
    this(capacity == 0 ? Channel.rendezvous() : Channel.buffered(capacity));
  }

  @Override
  public void send(Integer message) throws InterruptedException {
    channel.send(message);
  }

  @Override
  public Integer receive() throws InterruptedException {
    return channel.receive();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import com.softwaremill.jox.Channel;

record JoxPipe(Channel<Integer> channel) implements Pipe {
  JoxPipe(int capacity) {
    this(capacity == 0 ? Channel.newRendezvousChannel() : Channel.newBufferedChannel(capacity));
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

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.peer.Pipe;
import java.util.ArrayList;
import java.util.List;

/** Traffic of virtual threads. */
final class ThreadTraffic extends Traffic {
  private final Peer peer;
  private final List<Pipe> pipes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  ThreadTraffic(Peer peer) {
    this.peer = peer;
  }

  private interface Body {
    void run() throws Exception;
  }

  @Override
  int pipe(int capacity) {
    pipes.add(peer.pipe(capacity));
    return pipes.size() - 1;
  }

  @Override
  void addSender(int number, int messages) {
    Pipe pipe = pipes.get(number);
    add(
        () -> {
          for (int i = 0; i < messages; i++) {
            pipe.send(message(i));
          }
        });
  }

  @Override
  void addReceiver(int number, int messages) {
    Pipe pipe = pipes.get(number);
    add(
        () -> {
          long sum = 0;
          for (int i = 0; i < messages; i++) {
            sum += pipe.receive();
          }
          received(sum);
        });
  }

  private void add(Body body) {
    threads.add(
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  try {
                    body.run();
                    ended();
                  } catch (Throwable e) {
                    failed(e);
                  }
                }));
  }

  @Override
  void start() {
    threads.forEach(Thread::start);
  }

  @Override
  void interrupt() {
    threads.forEach(Thread::interrupt);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.bench.peer.Peer;
import dev.baton.bench.peer.Pipe;
import dev.baton.bench.peer.Tap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Traffic of virtual threads. */
class ThreadTraffic extends Traffic {
  private final Peer peer;
  private final List<Pipe> pipes = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  ThreadTraffic(Peer peer) {
    this.peer = peer;
  }

  private interface Body {
    void run() throws Exception;
  }

  Pipe newPipe(int capacity) {
    return peer.pipe(capacity);
  }

  @Override
  int pipe(int capacity) {
    pipes.add(newPipe(capacity));
    return pipes.size() - 1;
  }

  @Override
  void addSender(int to, int messages) {
    Pipe pipe = pipes.get(to);
    add(
        () -> {
          for (int i = 0; i < messages; i++) {
            pipe.send(message(i));
          }
        });
  }

  @Override
  void addReceiver(int from, int messages) {
    addReceiver(pipes.get(from), messages);
  }

  @Override
  void addSelector(List<Integer> from, @Nullable Duration timeout, int messages) {
    addReceiver(peer.select(from.stream().map(pipes::get).toList(), timeout), messages);
  }

  private void addReceiver(Tap tap, int messages) {
    add(
        () -> {
          long sum = 0;
          for (int i = 0; i < messages; i++) {
            sum += tap.receive();
          }
          received(sum);
        });
  }

  @Override
  void addPasser(int from, int to, int messages) {
    Pipe source = pipes.get(from);
    Pipe target = pipes.get(to);
    add(
        () -> {
          for (int i = 0; i < messages; i++) {
            target.send(source.receive());
          }
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

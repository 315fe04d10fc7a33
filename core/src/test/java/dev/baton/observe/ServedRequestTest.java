// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Broadcast;
import dev.baton.channel.Channel;
import dev.baton.channel.Subscription;
import dev.baton.sync.Permit;
import dev.baton.sync.Semaphore;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whoever was served, and what it was given, is kept by nobody: not by the next in line, and not by a future that has told its answer. */
class ServedRequestTest {

  private static WeakReference<Object> sent(Channel<Object> channel) throws InterruptedException {
    Object value = new Object();
    channel.send(value);
    return new WeakReference<>(value);
  }

  @Test
  void theNextReceiverDoesNotKeepWhatTheOneBeforeReceived() throws Exception {
    Channel<Object> channel = Channel.rendezvous();
    channel.receiveAsync();
    CompletableFuture<Object> next = channel.receiveAsync();
    WeakReference<Object> value = sent(channel);
    Gc.until(() -> value.refersTo(null), "the value is collected");
    assertThat(next.isDone()).isFalse();
  }

  @Test
  void theNextInLineDoesNotKeepALostPermit() throws Exception {
    Semaphore semaphore = Semaphore.of(1);
    Permit held = semaphore.hold();
    WeakReference<CompletableFuture<Permit>> lost = new WeakReference<>(semaphore.acquireAsync());
    CompletableFuture<Permit> next = semaphore.acquireAsync();
    held.close();
    Gc.until(() -> lost.refersTo(null), "the future is collected");
    assertThat(next.isDone()).isFalse();
  }

  @Test
  void aFutureThatHasSentDoesNotKeepTheValue() throws Exception {
    Channel<Object> channel = Channel.rendezvous();
    CompletableFuture<Void> sending = channel.sendAsync(new Object());
    WeakReference<Object> value = new WeakReference<>(channel.receive());
    Gc.until(() -> value.refersTo(null), "the value is collected");
    assertThat(sending.isDone()).isTrue();
  }

  @Test
  void norDoesOneThatHasBroadcastIt() throws Exception {
    Broadcast<Object> broadcast = Broadcast.buffered(1);
    try (Subscription<Object> subscription = broadcast.subscribe()) {
      broadcast.send("first");
      CompletableFuture<Integer> sending = broadcast.sendAsync(new Object());
      subscription.receive();
      WeakReference<Object> value = new WeakReference<>(subscription.receive());
      Gc.until(() -> value.refersTo(null), "the value is collected");
      assertThat(sending.isDone()).isTrue();
    }
  }
}

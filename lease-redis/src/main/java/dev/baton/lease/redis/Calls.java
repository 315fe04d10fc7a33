// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Callbacks;
import dev.baton.host.Host;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What is said to the server: operations of the script. */
final class Calls {
  private final Host host;
  private final Script script;
  private final Link link;

  /** Null if this may be a cluster: there names are in different places, and no call can be about several. */
  private volatile @Nullable Sender sender;

  Calls(Host host, Script script, Link link) {
    this.host = host;
    this.script = script;
    this.link = link;
  }

  /** From now on calls may be about several names. */
  void share() {
    sender = new Sender(host, script, link.requests);
  }

  /** Sends {@code call}, behind all that was sent before. Not by a thread of a connection. */
  void send(Call call) {
    Sender shared = sender;
    if (shared != null) {
      shared.send(call);
    } else {
      alone(call);
    }
  }

  /** Sends {@code call} soon, in answer to something that was received. By any thread. */
  void sendSoon(Call call) {
    Sender shared = sender;
    if (shared != null) {
      shared.sendSoon(call);
    } else {
      inOrder(() -> alone(call));
    }
  }

  private void alone(Call call) {
    script.new Batch(link.requests, List.of(call)).follow(() -> {});
  }

  /**
   * Does something in answer to something that was received. Not by the thread of a connection itself: what that sends overtakes what others have
   * sent before.
   */
  void inOrder(Runnable action) {
    Callbacks.start(host, action);
  }

  CompletableFuture<List<Object>> call(String name, String operation, String... arguments) {
    Call.Future call = new Call.Future(name, operation, arguments);
    send(call);
    return call.answer;
  }

  /** On a connection of its own, which requests do not keep busy. */
  CompletableFuture<List<Object>> beat(String name, String... arguments) {
    Call.Future call = new Call.Future(name, "beat", arguments);
    script.new Batch(link.beats, List.of(call)).follow(() -> {});
    return call.answer;
  }

  /** Complete when all that was sent before has arrived, or cannot. */
  CompletableFuture<String> arrived() {
    Sender shared = sender;
    if (shared != null) {
      shared.flush();
    }
    try {
      return link.requests.ping().toCompletableFuture();
    } catch (RuntimeException notSent) {
      return CompletableFuture.failedFuture(notSent); // a client of the caller's that was shut down
    }
  }
}

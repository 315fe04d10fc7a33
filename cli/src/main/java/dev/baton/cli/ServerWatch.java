// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Leases;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Tells one who waits for a lease when the server is gone, and when it is back: the wait itself goes on in silence. */
final class ServerWatch implements AutoCloseable {
  private final Leases leases;
  private final String name;
  private final Duration interval;
  private final Consumer<String> listener;
  private final Thread watcher;

  /** Guarded by this. */
  private boolean over;

  /** From now on, until it is closed, {@code listener} is told. */
  ServerWatch(Leases leases, String name, Duration interval, Consumer<String> listener) {
    this.leases = leases;
    this.name = name;
    this.interval = interval;
    this.listener = listener;
    this.watcher = Thread.ofVirtual().name("baton-watch-server").start(this::watch);
  }

  private void watch() {
    boolean away = false;
    while (pause()) {
      boolean answers = answers();
      if (away == answers) {
        away = !answers;
        tell(away ? "Redis cannot be reached. Still waiting, and trying again until it is back." : "Redis is back. Still waiting.");
      }
    }
  }

  private boolean pause() {
    try {
      Thread.sleep(interval);
      return true;
    } catch (InterruptedException closed) {
      return false;
    }
  }

  private boolean answers() {
    try {
      leases.stats(List.of(name));
      return true;
    } catch (BackendUnavailableException away) {
      return false;
    }
  }

  private synchronized void tell(String what) {
    if (!over) {
      listener.accept(what);
    }
  }

  /** Nobody waits any more: nothing is told from here on. */
  @Override
  public synchronized void close() {
    over = true;
    watcher.interrupt();
  }
}

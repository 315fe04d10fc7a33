// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.threads.ThreadHost;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Finds the host of the calling task. */
public final class Hosts {
  private static final ScopedValue<Host> CURRENT = ScopedValue.newInstance();

  /** Hosts that know their running task by its thread. Replaced, never changed. */
  private static volatile Host[] running = {};

  /** The one that runs, if just one does: it is asked at every operation, and found without a look into the others. */
  private static volatile @Nullable Host lone;

  private Hosts() {}

  /** The host the calling task runs on; ordinary threads unless a host has bound itself. */
  public static Host current() {
    // A constant until the first other host of the JVM begins.
    return SwitchPoints.active() ? find() : ThreadHost.INSTANCE;
  }

  /** The host of ordinary threads, whatever the calling task runs on. */
  public static Host threads() {
    return ThreadHost.INSTANCE;
  }

  private static Host find() {
    Host only = lone;
    return only != null && only.runsCaller() ? only : findAmongAll();
  }

  private static Host findAmongAll() {
    for (Host host : running) {
      if (host.runsCaller()) {
        return host;
      }
    }
    return CURRENT.orElse(ThreadHost.INSTANCE);
  }

  /** The number of the calling task: that of its thread while no cooperative host has ever started. */
  public static long currentTaskId() {
    return SwitchPoints.active() ? current().currentTaskId() : Thread.currentThread().threadId();
  }

  /**
   * From now on {@code host} is asked whether it {@linkplain Host#runsCaller runs the caller}. Unlike {@link #runOn} this costs its
   * tasks nothing: a scoped value takes a few hundred bytes of each.
   */
  public static synchronized void begin(Host host) {
    SwitchPoints.activate();
    Host[] more = Arrays.copyOf(running, running.length + 1);
    more[running.length] = host;
    run(more);
  }

  /** The counterpart of {@link #begin}. */
  public static synchronized void end(Host host) {
    run(Arrays.stream(running).filter(other -> other != host).toArray(Host[]::new));
  }

  private static void run(Host[] hosts) {
    running = hosts;
    lone = hosts.length == 1 ? hosts[0] : null;
  }

  /** Runs {@code body} as a task of {@code host}. */
  public static void runOn(Host host, Runnable body) {
    SwitchPoints.activate();
    ScopedValue.where(CURRENT, host).run(body);
  }
}

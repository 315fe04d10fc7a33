// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks on the thread that made them due. A callback may release and thereby make the next one due, so long chains
 * would overflow the stack: a chain that has grown deep goes on in a task of its own. It is not put off until the outer
 * callback returns, because that one may be waiting for it.
 */
public final class Callbacks {
  private static final int MAX_DEPTH = 16;
  private static final ThreadLocal<@Nullable Depth> DEPTH = new ThreadLocal<>();

  private Callbacks() {}

  /** Runs {@code callback}, mostly before this returns. */
  public static void run(Host host, Runnable callback) {
    Depth depth = DEPTH.get();
    if (depth == null) {
      runFirst(callback);
    } else if (depth.value < MAX_DEPTH) {
      depth.value++;
      try {
        callback.run();
      } finally {
        depth.value--;
      }
    } else {
      start(host, callback);
    }
  }

  private static void runFirst(Runnable callback) {
    try {
      DEPTH.set(new Depth());
    } catch (OutOfMemoryError noRoom) {
      // Better not counted than lost: a grant must be delivered.
    }
    try {
      callback.run();
    } finally {
      DEPTH.remove();
    }
  }

  /** Runs {@code callback} in a task of its own; here, if there can be none. */
  public static void start(Host host, Runnable callback) {
    try {
      host.start("baton-callback", callback);
    } catch (Throwable noThread) {
      // Better deep than lost: a grant must be delivered.
      callback.run();
    }
  }

  private static final class Depth {
    int value;
  }
}

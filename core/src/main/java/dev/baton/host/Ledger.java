// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import org.jspecify.annotations.Nullable;

/**
 * What primitives tell a cooperative host for diagnosis only: what was made, who has taken how much of it, and who has given it
 * back. As with {@link SwitchPoints}, nothing is asked or told until the first cooperative host of the JVM starts.
 */
public final class Ledger {
  private Ledger() {}

  /** The calling task has made {@code primitive}. */
  public static void made(Object primitive) {
    if (SwitchPoints.active()) {
      Hosts.current().made(primitive);
    }
  }

  /** The calling task now holds {@code n} more of {@code primitive}. */
  public static void took(Object primitive, long n) {
    if (SwitchPoints.active()) {
      Hosts.current().took(primitive, n);
    }
  }

  /** The same, by a task of {@code host}; null while there are only ordinary threads. */
  public static void took(@Nullable Host host, Object primitive, long n) {
    if (host != null) {
      host.took(primitive, n);
    }
  }

  /** A callback, and no task, now holds {@code n} more of {@code primitive}. */
  public static void tookAsync(Object primitive, long n) {
    if (SwitchPoints.active()) {
      Hosts.current().tookAsync(primitive, n);
    }
  }

  /** {@code n} of {@code primitive} are being given back, most likely by the task that took them. */
  public static void gave(Object primitive, long n) {
    if (SwitchPoints.active()) {
      Hosts.current().gave(primitive, n);
    }
  }

  /** The same, by a task of {@code host}; null while there are only ordinary threads. */
  public static void gave(@Nullable Host host, Object primitive, long n) {
    if (host != null) {
      host.gave(primitive, n);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.baton.lease.LossReason;
import java.util.Locale;

/** What is written to the log {@code dev.baton.lease}. A log that fails, in whatever way, is no reason to lose a permit: nothing here throws. */
public final class LeaseLog {
  private static final System.Logger LOG = System.getLogger("dev.baton.lease");
  private static final double NANOS_PER_MILLI = 1e6;

  private LeaseLog() {}

  /** A lease was granted to whoever asked for it. */
  public static void acquired(HeldLease lease) {
    try {
      if (LOG.isLoggable(DEBUG)) {
        LOG.log(
            DEBUG,
            String.format(
                Locale.ROOT,
                "acquired %s after %.3f ms: slot %d of %d",
                Terms.shown(lease.name()),
                lease.waited().toNanos() / NANOS_PER_MILLI,
                lease.slotNumber(),
                lease.limit()));
      }
    } catch (Throwable ofTheLog) {
      failed(ofTheLog);
    }
  }

  /** A lease was released. */
  public static void released(HeldLease lease, String store) {
    released(lease.name(), store);
  }

  /** A lease was released. */
  public static void released(String name, String store) {
    try {
      if (LOG.isLoggable(DEBUG)) {
        LOG.log(DEBUG, "released " + Terms.shown(name) + " (" + store + ")");
      }
    } catch (Throwable ofTheLog) {
      failed(ofTheLog);
    }
  }

  /** A lease was lost. */
  public static void lost(HeldLease lease, LossReason why, String store) {
    try {
      if (LOG.isLoggable(WARNING)) {
        String label = lease.label().isEmpty() ? "" : " of " + Terms.shown(lease.label());
        LOG.log(
            WARNING,
            "lost " + Terms.shown(lease.name()) + ", slot " + lease.slotNumber() + label + ": " + why + " (" + store + ")");
      }
    } catch (Throwable ofTheLog) {
      failed(ofTheLog);
    }
  }

  /** Nobody wants to know, unless the virtual machine itself is in trouble. */
  private static void failed(Throwable ofTheLog) {
    if (!(ofTheLog instanceof VirtualMachineError)) {
      return;
    }
    try {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, ofTheLog);
    } catch (Throwable further) {
      // There is nobody left to tell.
    }
  }
}

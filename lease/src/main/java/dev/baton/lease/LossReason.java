// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

/** Why a lease was lost. */
public enum LossReason {
  /** Its time to live was over before it was released. */
  EXPIRED,
  /** Somebody has revoked it. */
  REVOKED,
  /** The store could not be reached, or has forgotten the lease, so that somebody else may soon be granted what it stood for. */
  UNREACHABLE
}

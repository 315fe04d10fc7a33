// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

/** What became of a release. */
public enum ReleaseResult {
  /** The lease was held, and is not any more. */
  RELEASED,
  /**
   * The lease was lost before. Nothing changes: its permits have gone back already; in a store elsewhere that is so if its time to live was over, and
   * else they are about to.
   */
  EXPIRED,
  /** No such lease is held under this name: it was released before, was never granted, or was lost long ago. Nothing changes. */
  UNKNOWN
}

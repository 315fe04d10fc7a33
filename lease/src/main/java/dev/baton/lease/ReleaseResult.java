// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

/** What became of a release. */
public enum ReleaseResult {
  /** The lease was held, and is not any more. */
  RELEASED,
  /** The lease was lost before; its permits have gone back already. Nothing changes. */
  EXPIRED,
  /** No such lease is held under this name: it was released before, was never granted, or was lost long ago. Nothing changes. */
  UNKNOWN
}

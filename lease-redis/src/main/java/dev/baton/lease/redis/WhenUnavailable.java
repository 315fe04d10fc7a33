// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

/** What becomes of one who asks for a lease while Redis cannot be reached. */
public enum WhenUnavailable {
  /** {@link dev.baton.lease.BackendUnavailableException}, at once. */
  FAIL,
  /** It is tried again and again, as long as the caller waits. */
  RETRY
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

/** What happens to the task that acquired a lease when that is lost, besides {@link Lease#onLost} callbacks. */
public enum OnExpiry {
  /** Nothing: it goes on, and can ask {@link Lease#isValid}. */
  NOTIFY,
  /** It is interrupted, once, before anybody else can be granted what it held. */
  INTERRUPT_HOLDER
}

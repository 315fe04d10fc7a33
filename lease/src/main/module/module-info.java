// SPDX-License-Identifier: Apache-2.0
/**
 * Named semaphores whose permits are leases.
 *
 * <p>{@code dev.baton.lease} is for everyone. {@code dev.baton.lease.spi} is what a store has to do; it is exported to Baton's own
 * stores only.
 */
module dev.baton.lease {
  requires transitive dev.baton.core;
  requires static org.jspecify;

  exports dev.baton.lease;
  exports dev.baton.lease.spi to
      dev.baton.lease.redis;
}

// SPDX-License-Identifier: Apache-2.0
/** Named semaphores that several processes share, on Redis or Valkey. */
module dev.baton.lease.redis {
  requires transitive dev.baton.lease;
  requires transitive lettuce.core;
  requires io.netty.buffer;
  requires static org.jspecify;

  exports dev.baton.lease.redis;
}

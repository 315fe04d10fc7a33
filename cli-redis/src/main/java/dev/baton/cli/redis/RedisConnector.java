// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.redis;

import dev.baton.cli.LeaseConnector;
import dev.baton.lease.Leases;
import dev.baton.lease.redis.RedisLeases;

/** Leases on Redis. */
public final class RedisConnector implements LeaseConnector {
  /** For the service loader. */
  public RedisConnector() {}

  @Override
  public Leases connect(String uri, String namespace) {
    return RedisLeases.builder().uri(uri).namespace(namespace).connect();
  }
}

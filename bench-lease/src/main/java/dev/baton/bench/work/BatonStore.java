// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.Leases;
import dev.baton.lease.redis.RedisLeases;

/** Baton's leases on Redis, connected as a user would. */
final class BatonStore implements RemoteStore {
  private final Leases leases;

  BatonStore(String uri) {
    leases = RedisLeases.connect(uri);
  }

  @Override
  public RemoteGate gate(String name, int permits) {
    LeaseSemaphore semaphore = leases.semaphore(name, permits).ttl(TTL);
    return new RemoteGate() {
      @Override
      public Object acquire() throws Exception {
        return semaphore.acquire();
      }

      @Override
      public void release(Object held) {
        ((Lease) held).close();
      }

      @Override
      public int free() {
        LeaseStats stats = semaphore.stats();
        Expect.equal("leases lost", 0, stats.expired());
        return stats.limit() - stats.acquired();
      }

      @Override
      public int waiting() {
        return semaphore.stats().waiting();
      }
    };
  }

  @Override
  public void close() {
    leases.close();
  }
}

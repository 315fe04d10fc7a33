// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.SingleServerConfig;

/** Redisson with its defaults, but with a connection for each caller, open from the start: nobody waits for one. */
final class RedissonStore implements RemoteStore {
  private static final int DEFAULT_POOL = 64;

  private final RedissonClient client;
  private final boolean expirable;

  RedissonStore(String uri, int callers, boolean expirable) {
    int connections = Math.clamp(callers, 1, DEFAULT_POOL);
    Config config = new Config();
    SingleServerConfig server = config.useSingleServer().setAddress(uri);
    server.setConnectionPoolSize(DEFAULT_POOL).setConnectionMinimumIdleSize(connections);
    this.client = Redisson.create(config);
    this.expirable = expirable;
  }

  @Override
  public RemoteGate gate(String name, int permits) {
    return expirable ? expirable(name, permits) : plain(name, permits);
  }

  private RemoteGate expirable(String name, int permits) {
    RPermitExpirableSemaphore semaphore = client.getPermitExpirableSemaphore(name);
    semaphore.trySetPermits(permits);
    return new RemoteGate() {
      @Override
      public Object acquire() throws InterruptedException {
        return semaphore.acquire(TTL.toMillis(), TimeUnit.MILLISECONDS);
      }

      @Override
      public void release(Object held) {
        semaphore.release((String) held);
      }

      @Override
      public int free() {
        return semaphore.availablePermits();
      }
    };
  }

  private RemoteGate plain(String name, int permits) {
    RSemaphore semaphore = client.getSemaphore(name);
    semaphore.trySetPermits(permits);
    return new RemoteGate() {
      @Override
      public Object acquire() throws InterruptedException {
        semaphore.acquire();
        return semaphore;
      }

      @Override
      public void release(Object held) {
        semaphore.release();
      }

      @Override
      public int free() {
        return semaphore.availablePermits();
      }
    };
  }

  @Override
  public void close() {
    client.shutdown();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;

/** As it comes, but for the limits and the management bean, which nobody looks at. */
final class CommonsPool implements Lender {
  private final GenericObjectPool<Object> pool;

  /** Those who wait are served in order if {@code fair}. */
  CommonsPool(int limit, boolean fair) {
    GenericObjectPoolConfig<Object> config = new GenericObjectPoolConfig<>();
    config.setMaxTotal(limit);
    config.setMaxIdle(limit);
    config.setFairness(fair);
    config.setJmxEnabled(false);
    pool = new GenericObjectPool<>(new Factory(), config);
  }

  @Override
  public Object borrow() throws Exception {
    return pool.borrowObject();
  }

  @Override
  public void giveBack(Object borrowed) {
    pool.returnObject(borrowed);
  }

  @Override
  public int live() {
    return pool.getNumActive() + pool.getNumIdle();
  }

  @Override
  public int idle() {
    return pool.getNumIdle();
  }

  private static final class Factory extends BasePooledObjectFactory<Object> {
    @Override
    public Object create() {
      return new Object();
    }

    @Override
    public PooledObject<Object> wrap(Object object) {
      return new DefaultPooledObject<>(object);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;

record BatonPool(Pool<Object> pool) implements Lender {
  BatonPool(int limit) {
    this(Pool.of(limit, Object::new));
  }

  @Override
  public Object borrow() throws InterruptedException {
    return pool.acquire();
  }

  @Override
  public void giveBack(Object borrowed) {
    ((Borrowed<?>) borrowed).close();
  }

  @Override
  public int live() {
    return pool.stats().live();
  }

  @Override
  public int idle() {
    return pool.stats().idle();
  }
}

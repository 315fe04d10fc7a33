// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.internal.kernel.Resource;
import org.jspecify.annotations.Nullable;

/**
 * A resource of a {@link Pool} while somebody has it; closing gives it back, once.
 *
 * {@snippet :
 * Pool<StringBuilder> buffers = Pool.of(4, StringBuilder::new);
 * try (Borrowed<StringBuilder> buffer = buffers.acquire()) {
 *   buffer.get().append("mine until the end of this block");
 * }
 * }
 *
 * <p>Whoever has it may hand it to another thread, which then gives it back. It ends in exactly one way, whatever is called by
 * however many threads: returned ({@link #close}), taken out ({@link #hijack}) or destroyed ({@link #evict}). After that the resource
 * may be somebody else's, and {@link #get} refuses. One that is garbage collected without having ended keeps its slot.
 *
 * @param <T> the type of the resource
 */
public final class Borrowed<T> implements AutoCloseable {
  private final Pool<T> pool;

  /** Who has it, if that is written down. */
  private final @Nullable Object taker;

  /** Set before anybody has this object. */
  private @Nullable Resource resource;

  Borrowed(Pool<T> pool, @Nullable Object taker) {
    this.pool = pool;
    this.taker = taker;
  }

  void lend(Resource lent) {
    resource = lent;
  }

  /**
   * The resource.
   *
   * @throws IllegalStateException if it was given back, taken out or destroyed: then it is no longer the caller's
   */
  public T get() {
    Resource mine = resource();
    if (!mine.isHeldBy(this)) {
      throw ended("use");
    }
    return Pool.cast(mine.value());
  }

  /** Whether it has not ended. */
  public boolean isOpen() {
    return resource().isHeldBy(this);
  }

  /**
   * Takes the resource out of the pool: it is the caller's for good, who also has to destroy it. Its slot is free, so that another
   * resource may be made in its place.
   *
   * @throws IllegalStateException if it was given back, taken out or destroyed; nothing changes
   */
  public T hijack() {
    return pool.hijack(this);
  }

  /**
   * Destroys the resource; then its slot is free. For one that is known to be broken. An error of the destroyer goes to the pool's
   * handler, and the slot is free all the same.
   *
   * @throws IllegalStateException if it was given back, taken out or destroyed; nothing changes
   */
  public void evict() {
    pool.evict(this);
  }

  /** Gives the resource back. Does nothing when called again, or after {@link #hijack} or {@link #evict}. Never throws. */
  @Override
  public void close() {
    pool.giveBack(this);
  }

  Pool<T> pool() {
    return pool;
  }

  @Nullable Object taker() {
    return taker;
  }

  Resource resource() {
    Resource mine = resource;
    if (mine == null) {
      throw new IllegalStateException("This has not been given out yet.");
    }
    return mine;
  }

  static IllegalStateException ended(String verb) {
    return new IllegalStateException(
        "Cannot " + verb + " a resource that was given back, hijacked or evicted: it may be somebody else's by now. Acquire another.");
  }

  @Override
  public String toString() {
    Resource mine = resource;
    return "Borrowed[" + (mine != null && mine.isHeldBy(this) ? mine.value() + " of " + pool : "ended") + "]";
  }
}

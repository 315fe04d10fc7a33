// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.internal.fields.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
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
  private static final VarHandle OPEN = Fields.find(MethodHandles.lookup(), "open", boolean.class);
  private static final VarHandle RESOURCE = Fields.find(MethodHandles.lookup(), "resource", Resource.class);

  private final Pool<T> pool;

  /** Who has it, if that is written down. */
  private final @Nullable Object taker;

  // open ──close, hijack or evict──▶ ended        returned: a node of the idle stack, until somebody takes its resource

  private volatile boolean open;

  /** Null before it is lent, and once the resource is somebody else's. Published by whatever publishes this object. */
  @Nullable Resource resource;

  /** The node below this one when it was put on the stack. Never changes after that. */
  @Nullable Borrowed<?> below;

  Borrowed(Pool<T> pool, @Nullable Object taker) {
    this.pool = pool;
    this.taker = taker;
  }

  /** Now it stands for {@code lent}. Before anybody else has this object. */
  void lend(Resource lent) {
    resource = lent;
    OPEN.setRelease(this, true);
  }

  /** Ends it. True for one caller only, who has the resource then. */
  boolean end() {
    return OPEN.compareAndSet(this, true, false);
  }

  /** The resource of a node that the caller alone has taken off the stack. */
  @Nullable Resource take() {
    Resource mine = resource;
    resource = null;
    return mine;
  }

  /** The resource of a node for one of several who want it; null for the others. */
  @Nullable Resource claim() {
    return (Resource) RESOURCE.getAndSet(this, null);
  }

  /**
   * {@return the resource}
   *
   * @throws IllegalStateException if it was given back, taken out or destroyed: then it is no longer the caller's
   */
  public T get() {
    Resource mine = resource;
    if (!open || mine == null) {
      throw ended("use");
    }
    return Pool.cast(mine.value);
  }

  /** {@return whether it has not ended} */
  public boolean isOpen() {
    return open;
  }

  /**
   * Takes the resource out of the pool: it is the caller's for good, who also has to destroy it. Its slot is free, so that another
   * resource may be made in its place.
   *
   * @return the resource, which the caller has to destroy
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

  /** What it stands for; only for the one who has just ended it. */
  Resource ended() {
    return Objects.requireNonNull(resource);
  }

  static IllegalStateException ended(String verb) {
    return new IllegalStateException(
        "Cannot " + verb + " a resource that was given back, hijacked or evicted: it may be somebody else's by now. Acquire another.");
  }

  @Override
  public String toString() {
    Resource mine = resource;
    return "Borrowed[" + (open && mine != null ? mine.value + " of " + pool : "ended") + "]";
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Host;
import dev.baton.internal.fields.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The idle resources of a pool, the one returned last on top. Nobody ever waits for it: who borrows and who gives back meet here, and
 * one that lost its core in the middle must not keep the others, each of which has something that the next one waits for.
 *
 * <p>Its nodes are the {@link Borrowed} by which the resources were given back. Each of those is pushed once at most and is never used
 * again, so a node that is on top was there all the time.
 */
final class IdleStack {
  private static final VarHandle TOP = Fields.find(MethodHandles.lookup(), "top", Borrowed.class);

  private volatile @Nullable Borrowed<?> top;

  /** Whether resources are also taken out of the middle, when they are {@link #expired}; then two may want the same one. */
  private final boolean contested;

  IdleStack(boolean contested) {
    this.contested = contested;
  }

  /** Puts the resource of {@code node}, which has ended, on top. */
  void push(Borrowed<?> node) {
    Borrowed<?> below;
    do {
      below = top;
      node.below = below;
    } while (!TOP.compareAndSet(this, below, node));
  }

  /** The resource on top, or null. */
  @Nullable Resource pop() {
    while (true) {
      Borrowed<?> node = top;
      if (node == null) {
        return null;
      }
      if (TOP.compareAndSet(this, node, node.below)) {
        Resource resource = contested ? node.claim() : node.take();
        if (resource != null) {
          return resource;
        }
        // It was too old, and is gone.
      }
    }
  }

  /**
   * Where resources are that have lain here so long by the clock of {@code host}, the lowest first. Each is for whoever {@linkplain
   * Borrowed#claim claims} it, and may have been popped meanwhile.
   */
  List<Borrowed<?>> expired(Host host, long maxIdle) {
    long now = host.nanoTime();
    List<Borrowed<?>> expired = new ArrayList<>();
    for (Borrowed<?> node = top; node != null; node = node.below) {
      Resource resource = node.resource;
      if (resource != null && resource.clock == host && now - resource.idleSince >= maxIdle) {
        expired.add(node);
      }
    }
    return expired.reversed();
  }

  /** Since when the lowest one by the clock of {@code host} lies here; null if there is none. */
  @Nullable Long oldest(Host host) {
    Long oldest = null;
    for (Borrowed<?> node = top; node != null; node = node.below) {
      Resource resource = node.resource;
      if (resource != null && resource.clock == host) {
        oldest = resource.idleSince;
      }
    }
    return oldest;
  }
}

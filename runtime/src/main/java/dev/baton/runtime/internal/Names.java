// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.host.Frames;
import dev.baton.host.Kinds;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the primitives of a run are called: their kind, and their number among those of that kind, in the order in which they were
 * made or first seen. So the same run gives the same names, unlike an identity hash. Keeps no primitive alive.
 */
final class Names {
  private final Map<Object, Known> known = new HashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
  private final boolean withLines;
  private long ids;

  Names(boolean withLines) {
    this.withLines = withLines;
  }

  /**
   * What is known about a primitive.
   *
   * @param id its number among all
   * @param name its name
   * @param inside whether it was made in this run
   * @param line where it was made, if that is written down
   */
  record Known(long id, String name, boolean inside, @Nullable StackTraceElement line) {}

  void made(Object primitive) {
    add(primitive, true);
  }

  Known of(Object primitive) {
    Known found = known.get(new Probe(primitive));
    return found == null ? add(primitive, false) : found;
  }

  private Known add(Object primitive, boolean inside) {
    forgetGone();
    String kind = kind(primitive);
    int number = counts.merge(kind, 1, Integer::sum);
    String name = primitive instanceof Class<?> ? kind : kind + " " + number;
    Known added = new Known(ids++, name, inside, inside && withLines ? Frames.callingLine() : null);
    known.put(new Key(primitive, gone), added);
    return added;
  }

  private void forgetGone() {
    for (Object key = gone.poll(); key != null; key = gone.poll()) {
      known.remove(key);
    }
  }

  private static String kind(Object primitive) {
    if (primitive instanceof Class<?> type) {
      return type.getSimpleName();
    }
    return Kinds.of(primitive);
  }

  /** An object, by identity, that is not kept alive. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, ReferenceQueue<Object> queue) {
      super(object, queue);
      hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other || (other instanceof Key key && get() != null && get() == key.get());
    }
  }

  /** Finds the key of an object. Not a weak reference itself: each wait would make one, and they are dear. */
  private record Probe(Object object) {
    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key && key.refersTo(object);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for primitives, from 1 for each kind, given when one is first shown: "Mutex 2" is the same in every dump. Keeps nothing
 * alive. Guarded by itself.
 */
final class Numbers {
  private final Map<Key, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> last = new HashMap<>();
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

  synchronized int of(Object primitive, String kind) {
    for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
      numbers.remove(key);
    }
    return numbers.computeIfAbsent(new Key(primitive, gone), key -> last.merge(kind, 1, Integer::sum));
  }

  /** The identity of a primitive. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object primitive, ReferenceQueue<Object> gone) {
      super(primitive, gone);
      hash = System.identityHashCode(primitive);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other || (other instanceof Key key && !key.refersTo(null) && key.refersTo(get()));
    }
  }
}

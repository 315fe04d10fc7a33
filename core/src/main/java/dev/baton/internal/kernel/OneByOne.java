// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import java.util.Iterator;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Is not split: the JDK's own takes a thousand values and more before the first is used, and forgets those that are not.
 *
 * @param <T> the type of the values
 */
public final class OneByOne<T> implements Spliterator<T> {
  private final Iterator<T> values;

  /** What {@code values} brings. */
  public OneByOne(Iterator<T> values) {
    this.values = values;
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    Objects.requireNonNull(action, "action");
    if (!values.hasNext()) {
      return false;
    }
    action.accept(values.next());
    return true;
  }

  @Override
  public @Nullable Spliterator<T> trySplit() {
    return null;
  }

  @Override
  public long estimateSize() {
    return Long.MAX_VALUE;
  }

  @Override
  public int characteristics() {
    return ORDERED | NONNULL;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Items taken together: a list that nobody can change once it is filled. Made beforehand, so that between taking and delivery nothing
 * has to be allocated.
 */
public final class Batch extends AbstractList<Object> implements RandomAccess {
  final @Nullable Object[] room;

  /** Written by whoever fills it, under the lock, before anybody is told. */
  int size;

  /** Room for {@code most} items. */
  public Batch(int most) {
    room = new Object[most];
  }

  @Override
  public Object get(int index) {
    return Objects.requireNonNull(room[Objects.checkIndex(index, size)]);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public Object[] toArray() {
    return Arrays.copyOf(room, size, Object[].class);
  }

  /** The same, as a list of what the items are known to be. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T> List<T> as() {
    return (List<T>) this;
  }
}

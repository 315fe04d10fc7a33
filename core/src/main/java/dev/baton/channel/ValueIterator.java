// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Receives one by one until the end. */
final class ValueIterator<T> implements Iterator<T> {
  private final Source<T> source;
  private final String end;
  private @Nullable T next;

  /** With what to say, in {@code end}, to whoever asks for more than there is. */
  ValueIterator(Source<T> source, String end) {
    this.source = source;
    this.end = end;
  }

  /** Where the values come from. */
  interface Source<T> {

    /** Receives the next value, waiting for it if need be; null: there is none any more. */
    @Nullable T nextOrNull() throws InterruptedException;
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = receive();
    }
    return next != null;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException(end);
    }
    T value = Objects.requireNonNull(next);
    next = null;
    return value;
  }

  private @Nullable T receive() {
    try {
      return source.nextOrNull();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CancellationException cancelled = new CancellationException("Interrupted while waiting for the next value.");
      cancelled.initCause(e);
      throw cancelled;
    }
  }
}

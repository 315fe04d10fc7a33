// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.channel.WatchQueue.Version;
import dev.baton.host.Ledger;
import dev.baton.host.SwitchPoints;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A value that changes, for those who want to know the latest and not all that came before.
 *
 * {@snippet :
 * Watch<Integer> limit = Watch.of(10);
 * Watcher<Integer> watcher = limit.subscribe();
 * Thread.startVirtualThread(() -> limit.set(20));
 * int changed = watcher.changed(); // 20
 * int now = limit.get(); // 20
 * }
 *
 * <p><b>Latest only.</b> Setting never waits. Of values that come quickly one after the other a watcher may miss some, but never the
 * last. Each value that is set counts as new, also one that equals the one before.
 *
 * <p><b>The end.</b> After {@link #close} the value stays as it is and can be read. A watcher that has not seen it is still given it;
 * then its waits fail.
 *
 * <p><b>Memory effects.</b> What was done before a value was set is seen by whoever has got it.
 *
 * <p><b>Cost.</b> Reading is one volatile read. Setting takes time for those who wait, and none for other watchers, which nothing
 * keeps a list of: a watcher need not be closed.
 *
 * @param <T> the type of the value; null is not one
 */
public final class Watch<T> implements AutoCloseable {
  private final WatchQueue queue;

  private Watch(T initial) {
    queue = new WatchQueue(initial);
    Ledger.made(this);
  }

  /**
   * With its first value, which counts as seen by every watcher.
   *
   * @param <T> the type of the value; null is not one
   * @param initial the first value
   * @return a watch that nobody watches yet
   */
  public static <T> Watch<T> of(T initial) {
    return new Watch<>(Objects.requireNonNull(initial, "initial"));
  }

  /** {@return the latest value; also after {@link #close}} */
  public T get() {
    SwitchPoints.reach(this);
    return Channel.cast(queue.latest().value());
  }

  /**
   * Sets the value, and gives it to all who wait for one.
   *
   * @param value the new value; null is refused
   * @throws ChannelClosedException if closed; the value stays as it was
   */
  public void set(T value) {
    Objects.requireNonNull(value, "value");
    SwitchPoints.reach(this);
    if (!queue.set(null, new Version(value))) {
      throw closed("set");
    }
  }

  /**
   * Replaces the value by what {@code modifier} makes of it, and gives that to all who wait. As with {@link
   * java.util.concurrent.atomic.AtomicReference#updateAndGet}, no change of somebody else's is lost: if there was one meanwhile,
   * {@code modifier} is asked again, so it should do nothing but compute. It runs with no lock held. If it throws or returns null,
   * nothing changes and nobody is told.
   *
   * @param modifier called with the present value, with no lock held, perhaps several times
   * @return the new value
   * @throws ChannelClosedException if closed; the value stays as it was
   * @throws NullPointerException if {@code modifier} returns null; the value stays as it was
   */
  public T update(UnaryOperator<T> modifier) {
    Objects.requireNonNull(modifier, "modifier");
    SwitchPoints.reach(this);
    while (!queue.isClosed()) {
      Version before = queue.latest();
      T value = modifier.apply(Channel.cast(before.value()));
      Objects.requireNonNull(value, "The modifier returned null, which is no value; nothing has changed.");
      if (queue.set(before, new Version(value))) {
        return value;
      }
    }
    throw closed("update");
  }

  /**
   * {@return a new watcher, which has seen the present value} Also after {@link #close}: the last value can still be
   * waited for.
   */
  public Watcher<T> subscribe() {
    SwitchPoints.reach(this);
    return new Watcher<>(queue);
  }

  /** Lets no more values in, and ends all waits with {@link ChannelClosedException}. The value stays. Closing again does nothing. */
  @Override
  public void close() {
    SwitchPoints.reach(this);
    queue.close();
  }

  /** {@return whether no value can be set any more} */
  public boolean isClosed() {
    SwitchPoints.reach(this);
    return queue.isClosed();
  }

  /** {@return how many wait for a value, at all watchers together} */
  public int waiting() {
    SwitchPoints.reach(this);
    return queue.waiting();
  }

  @Override
  public String toString() {
    String state = queue.isClosed() ? "closed" : queue.waiting() + " waiting";
    return "Watch@" + Integer.toHexString(System.identityHashCode(this)) + "[" + state + "]";
  }

  private static ChannelClosedException closed(String verb) {
    return new ChannelClosedException("Cannot " + verb + " the value: the watch is closed, and keeps the last one.");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;

/**
 * Gauges and timers of everything that has a name, for Micrometer.
 *
 * {@snippet :
 * import io.micrometer.core.instrument.MeterRegistry;
 * import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
 *
 * MeterRegistry registry = new SimpleMeterRegistry();
 * BatonMetrics metrics = new BatonMetrics();
 * metrics.bindTo(registry);
 * Semaphore connections = Semaphore.of(10).named("db"); // before or after
 * registry.get("baton.available").tag("name", "db").gauge().value(); // 10
 * }
 *
 * <table>
 * <caption>The meters, all tagged with {@code kind} and {@code name}</caption>
 * <tr><th>meter</th><th>is</th></tr>
 * <tr><td>{@code baton.available}</td><td>gauge: what could be taken now</td></tr>
 * <tr><td>{@code baton.held}</td><td>gauge: what is in use</td></tr>
 * <tr><td>{@code baton.waiting}</td><td>gauge: how many wait</td></tr>
 * <tr><td>{@code baton.wait}</td><td>timer: how long those waited who had to; tagged with {@code outcome}: {@code granted}, or {@code
 * given_up} for all who did not get what they waited for</td></tr>
 * <tr><td>{@code baton.hold}</td><td>timer: how long it was held</td></tr>
 * <tr><td>{@code baton.named}</td><td>gauge, without tags: how many named things there are</td></tr>
 * </table>
 *
 * <p>What each figure means for a kind of thing is said in {@link dev.baton.observe.Usage}; one that does not apply is {@code NaN}. Things of
 * one kind and name share their meters, and their figures are added up. When the last of them is gone, so are its meters; only those of scopes,
 * which come and go, stay. So a name should stand for a purpose, not for an object: a name for each request makes a meter for each.
 *
 * <p><b>Cost.</b> While bound, each hold of a named thing costs two readings of the clock and a record; a wait costs the same beside what waiting
 * costs anyway. What has no name costs a look at a field. See {@code docs/observe.md} for figures.
 *
 * <p>Safe for use by several threads.
 */
public final class BatonMetrics implements MeterBinder, AutoCloseable {
  private final Tags tags;

  /** Guarded by this. */
  private final List<Binding> bindings = new ArrayList<>();

  /** Metrics with no tags but their own. */
  public BatonMetrics() {
    this(Tags.empty());
  }

  /**
   * Metrics that have {@code tags} too.
   *
   * @param tags added to those of each meter
   */
  public BatonMetrics(Iterable<Tag> tags) {
    this.tags = Tags.of(tags);
  }

  /**
   * Puts meters of all named things, those of now and those to come, into {@code registry}, until this is closed. Does nothing if it has done so
   * before.
   */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (bindings.stream().noneMatch(binding -> binding.isOf(registry))) {
      bindings.add(new Binding(registry, tags));
    }
  }

  /** Takes all its meters out again, and measures nothing more. Closing again does nothing. */
  @Override
  public synchronized void close() {
    bindings.forEach(Binding::close);
    bindings.clear();
  }
}

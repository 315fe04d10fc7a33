// SPDX-License-Identifier: Apache-2.0
package dev.baton.micrometer;

import dev.baton.observe.Named;
import dev.baton.observe.Usage;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The meters of all things of one kind and name. */
final class Meters {
  /** What goes through them is handed over, and not held. */
  private static final Set<String> NEVER_HELD = Set.of("channel", "broadcast", "batchqueue");

  private final MeterRegistry registry;

  /** Known, not kept alive: a named thing is a view of what it names. */
  private final Set<Named> things = ConcurrentHashMap.newKeySet();

  private final List<Gauge> gauges;
  private final Timer granted;
  private final Timer givenUp;

  /** Null where nothing is held. */
  private final @Nullable Timer hold;

  Meters(MeterRegistry registry, Tags tags, String kind) {
    this.registry = registry;
    gauges =
        List.of(
            gauge("baton.available", "What could be taken now", tags, Usage::available),
            gauge("baton.held", "What is in use", tags, Usage::held),
            gauge("baton.waiting", "How many wait", tags, Usage::waiting));
    granted = timer("baton.wait", "How long those waited who had to", tags.and("outcome", "granted"));
    givenUp = timer("baton.wait", "How long those waited who had to", tags.and("outcome", "given_up"));
    hold = NEVER_HELD.contains(kind) ? null : timer("baton.hold", "How long it was held", tags);
  }

  private Gauge gauge(String name, String description, Tags tags, ToLongFunction<Usage> figure) {
    // Strongly: the registry is what has it, and nobody else.
    return Gauge.builder(name, things, all -> sum(all, figure))
        .description(description)
        .tags(tags)
        .strongReference(true)
        .register(registry);
  }

  private Timer timer(String name, String description, Tags tags) {
    return Timer.builder(name).description(description).tags(tags).register(registry);
  }

  /** What all that are alive have together; NaN if none says. */
  private static double sum(Set<Named> things, ToLongFunction<Usage> figure) {
    double sum = Double.NaN;
    for (Named thing : things) {
      Optional<Usage> usage = thing.usage();
      long value = usage.isEmpty() ? Usage.UNKNOWN : figure.applyAsLong(usage.get());
      if (value != Usage.UNKNOWN) {
        sum = Double.isNaN(sum) ? value : sum + value;
      }
    }
    return sum;
  }

  void add(Named thing) {
    things.add(thing);
  }

  void remove(Named thing) {
    things.remove(thing);
  }

  boolean isEmpty() {
    return things.isEmpty();
  }

  void waited(Duration time, boolean gotIt) {
    (gotIt ? granted : givenUp).record(time);
  }

  void held(Duration time) {
    if (hold != null) {
      hold.record(time);
    }
  }

  void close() {
    Stream<Meter> timers = hold == null ? Stream.of(granted, givenUp) : Stream.of(granted, givenUp, hold);
    Stream.concat(gauges.stream(), timers).forEach(registry::remove);
  }
}

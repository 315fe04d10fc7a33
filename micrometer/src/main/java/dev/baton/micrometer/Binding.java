// SPDX-License-Identifier: Apache-2.0
package dev.baton.micrometer;

import dev.baton.observe.Baton;
import dev.baton.observe.Named;
import dev.baton.observe.Observer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/** The meters in one registry. */
final class Binding implements Observer {
  private static final String SCOPE = "scope";

  private final MeterRegistry registry;
  private final Tags tags;
  private final ConcurrentHashMap<Key, Meters> meters = new ConcurrentHashMap<>();
  private final Gauge named;
  private final Registration registration;

  /** Things that share their meters. */
  private record Key(String kind, String name) {
    static Key of(Named thing) {
      return new Key(thing.kind(), thing.name());
    }
  }

  @SuppressWarnings("this-escape") // last: nothing is told before it is ready
  Binding(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
    // To look is also what crosses out those that are gone.
    this.named =
        Gauge.builder("baton.named", () -> Baton.named().size())
            .description("How many named things there are")
            .tags(tags)
            .register(registry);
    this.registration = Baton.observe(this);
  }

  boolean isOf(MeterRegistry other) {
    return registry == other;
  }

  @Override
  public void appeared(Named thing) {
    meters.compute(
        Key.of(thing),
        (key, known) -> {
          Meters mine = known == null ? new Meters(registry, tags.and("kind", key.kind(), "name", key.name()), key.kind()) : known;
          mine.add(thing);
          return mine;
        });
  }

  @Override
  public void vanished(Named thing) {
    meters.computeIfPresent(
        Key.of(thing),
        (key, known) -> {
          known.remove(thing);
          if (!known.isEmpty() || key.kind().equals(SCOPE)) {
            return known;
          }
          known.close();
          return null;
        });
  }

  @Override
  public void waited(Named thing, Duration time, boolean granted) {
    Meters mine = meters.get(Key.of(thing));
    if (mine != null) {
      mine.waited(time, granted);
    }
  }

  @Override
  public void held(Named thing, Duration time) {
    Meters mine = meters.get(Key.of(thing));
    if (mine != null) {
      mine.held(time);
    }
  }

  void close() {
    registration.close();
    registry.remove(named);
    meters.values().forEach(Meters::close);
    meters.clear();
  }
}

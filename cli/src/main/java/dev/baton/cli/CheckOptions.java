// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.check.Check;
import dev.baton.check.Strategy;
import dev.baton.runtime.Engine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What is searched, and for how long. */
final class CheckOptions {
  @Option(names = "--seeds", paramLabel = "N", description = "How many schedules to try: 1000, or 100000 of an exhaustive search.")
  private @Nullable Long seeds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Run this one schedule: a number, or what a report names, such as random:5.")
  private @Nullable String seed;

  @Option(
      names = "--strategy",
      paramLabel = "STRATEGY", // another label than others have: completion takes it for a name
      converter = StrategyConverter.class,
      completionCandidates = StrategyNames.class,
      description = "random, pct, pct:DEPTH, exhaustive or exhaustive:PREEMPTIONS. Default: random.")
  private @Nullable Strategy strategy;

  @Option(
      names = "--time",
      paramLabel = "T",
      converter = DurationConverter.class,
      description = "Search for so long, such as 30s or 5m; without --seeds, only time ends it.")
  private @Nullable Duration time;

  @Option(names = "--steps", paramLabel = "N", description = "Steps of one run before it counts as a livelock: 20000.")
  private @Nullable Long steps;

  @Option(
      names = "--engine",
      paramLabel = "ENGINE",
      converter = EngineConverter.class,
      completionCandidates = EngineNames.class,
      description = "How tasks are switched: portable, stepped or best, which is the default. The schedules are the same.")
  private @Nullable Engine engine;

  @Option(names = "--allow-leaks", description = "Let the program end with tasks alive and permits held.")
  private boolean allowLeaks;

  /**
   * The check with these options.
   *
   * @throws IllegalArgumentException if one makes no sense
   */
  Check applyTo(Check check) {
    if (seed != null && (seeds != null || time != null)) {
      throw new IllegalArgumentException(
          "--seed runs one schedule, --seeds and --time search for many\n  Expected: one or the other. Leave out "
              + (seeds != null ? "--seeds." : "--time."));
    }
    if (seed != null && strategy != null && seed.contains(":") && !seed.startsWith(strategy + ":")) {
      throw new IllegalArgumentException(
          "--seed " + seed + " is a schedule of another strategy than " + strategy + "\n  Expected: one or the other. Leave out --strategy.");
    }
    Check set = check;
    set = strategy == null ? set : set.strategy(strategy);
    set = seeds == null ? set : set.seeds(positive("--seeds", seeds));
    set = time == null ? set : set.time(time);
    set = steps == null ? set : set.steps(positive("--steps", steps));
    set = engine == null ? set : set.engine(engine);
    return allowLeaks ? set.allowLeaks() : set;
  }

  /** The one schedule to run, or null to search. */
  @Nullable String seed() {
    return seed;
  }

  /** What has to be said again when one schedule is replayed. */
  List<String> forReplay() {
    List<String> options = new ArrayList<>();
    if (steps != null) {
      options.addAll(List.of("--steps", steps.toString()));
    }
    if (allowLeaks) {
      options.add("--allow-leaks");
    }
    return options;
  }

  private static long positive(String option, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " is " + value + "\n  Expected: a number from 1 on.");
    }
    return value;
  }

  /** What a shell completes. */
  static final class StrategyNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("random", "pct", "exhaustive").iterator();
    }
  }

  /** What a shell completes. */
  static final class EngineNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("best", "portable", "stepped").iterator();
    }
  }

  /** A strategy by its name. */
  static final class StrategyConverter implements ITypeConverter<Strategy> {
    @Override
    public Strategy convert(String name) {
      try {
        return Strategy.parse(name);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }

  /** An engine by its name. */
  static final class EngineConverter implements ITypeConverter<Engine> {
    @Override
    public Engine convert(String name) {
      Engine engine =
          switch (name) {
            case "best" -> Engine.best();
            case "portable" -> Engine.PORTABLE;
            case "stepped" -> Engine.STEPPED;
            default -> throw new TypeConversionException("There is no engine '" + name + "': use portable, stepped or best.");
          };
      if (!engine.isAvailable()) {
        throw new TypeConversionException(
            "the stepped engine is not available: Java was started without " + Engine.STEPPED_FLAG
                + ". Use the script 'baton', or the portable engine.");
      }
      return engine;
    }
  }
}

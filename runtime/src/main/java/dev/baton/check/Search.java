// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import dev.baton.check.Trial.Outcome;
import dev.baton.check.TrialObserver.Recording;
import dev.baton.runtime.Step;
import dev.baton.runtime.internal.Watch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs one schedule after the other until something is found. On the thread that drives the runs. */
final class Search {
  private final Check check;
  private final Watch watch;
  private final long start = System.nanoTime();

  /** Read by whoever shows progress. */
  private volatile long schedules;
  private volatile long operations;

  private volatile boolean cancelled;
  private boolean complete;

  /** How many decisions a run takes, roughly; known after the first one. */
  private int length;

  /** How the simplest schedule went. */
  private @Nullable Outcome simplest;

  Search(Check check, Watch watch) {
    this.check = check;
    this.watch = watch;
  }

  long schedules() {
    return schedules;
  }

  long operations() {
    return operations;
  }

  /** Ends the search after the present run. Called by any thread. */
  void cancel() {
    cancelled = true;
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** Searches as the check says. */
  Report run() {
    Failure failure = determinism();
    if (failure == null) {
      failure = check.strategy() instanceof Strategy.Exhaustive all ? searchAll(all) : searchSeeds(check.strategy());
    }
    if (failure == null && simplest != null && simplest.failed()) {
      // It was not looked for, but it was seen, twice.
      complete = false;
      failure = explain(simplest, Replay.Path.of(), 0);
    }
    return report(failure, check.strategy());
  }

  /** Runs one schedule again. */
  Report replay(Replay replay) {
    Failure failure = determinism();
    if (failure == null) {
      Outcome outcome =
          switch (replay) {
            case Replay.Seeded(Strategy strategy, long seed) -> trial(decisions(strategy, seed), seed);
            case Replay.Path path -> follow(path);
          };
      failure = outcome.failed() ? explain(outcome, replay, replay instanceof Replay.Seeded seeded ? seeded.seed() : 0) : null;
    }
    return report(failure, replay instanceof Replay.Seeded(Strategy strategy, _) ? strategy : check.strategy());
  }

  private Outcome follow(Replay.Path path) {
    PathDecisions decisions = new PathDecisions(path.toArray());
    Outcome outcome = trial(decisions, 0);
    if (decisions.isMisfit()) {
      throw new IllegalArgumentException(
          "'" + path + "' is no schedule of this program, which has other choices by now: search again.");
    }
    return outcome;
  }

  private Report report(@Nullable Failure failure, Strategy strategy) {
    return new Report(schedules, operations, complete, elapsed(), strategy, check.engine(), Optional.ofNullable(failure));
  }

  // ---- the same twice ----

  /** Runs the simplest schedule twice: a program that does not do the same twice cannot be searched. */
  private @Nullable Failure determinism() {
    Outcome first = Trial.run(check, new PathDecisions(), 0, Recording.STEPS, watch);
    check.afterRun();
    if (first.kind() == Kind.BLOCKED_OUTSIDE) {
      // Once is enough: a second one would block too, when nobody waits for it any more.
      return explain(first, Replay.Path.of(), 0);
    }
    Outcome second = Trial.run(check, new PathDecisions(), 0, Recording.STEPS, watch);
    check.afterRun();
    length = first.decisions().count();
    simplest = first;
    String difference = difference(first, second);
    if (difference == null) {
      return null;
    }
    return new Failure(
        Kind.NONDETERMINISTIC,
        difference + check.explainDifference(),
        null,
        "",
        List.of(),
        0,
        Trial.NOBODY_WAITS);
  }

  private static @Nullable String difference(Outcome first, Outcome second) {
    List<Step> one = first.steps();
    List<Step> two = second.steps();
    for (int i = 0; i < Math.min(one.size(), two.size()); i++) {
      if (!one.get(i).equals(two.get(i))) {
        return "Two runs of the same schedule differ at step " + (i + 1) + ": '" + one.get(i) + "', then '" + two.get(i) + "'.";
      }
    }
    if (one.size() != two.size()) {
      return "Two runs of the same schedule differ: the first took " + one.size() + " steps, the second " + two.size() + ".";
    }
    if (first.kind() != second.kind()) {
      return "Two runs of the same schedule end differently: "
          + (first.kind() == null ? "well" : first.message()) + ", then "
          + (second.kind() == null ? "well" : second.message()) + ".";
    }
    return null;
  }

  // ---- seeds ----

  private @Nullable Failure searchSeeds(Strategy strategy) {
    for (long i = 0; i < check.most() && !isOutOfTime(); i++) {
      long seed = check.firstSeed() + i;
      Outcome outcome = trial(decisions(strategy, seed), seed);
      if (outcome.failed()) {
        return explain(outcome, new Replay.Seeded(strategy, seed), seed);
      }
    }
    return null;
  }

  private Decisions decisions(Strategy strategy, long seed) {
    return switch (strategy) {
      case Strategy.Random() -> new RandomDecisions(seed);
      case Strategy.Pct(int depth) -> new PctDecisions(seed, depth, length);
      case Strategy.Exhaustive _ -> throw new IllegalArgumentException("An exhaustive search has no seeds.");
    };
  }

  // ---- all ----

  /** Depth first: the last choice that has an alternative within the bound is changed, and what follows is as simple as can be. */
  private @Nullable Failure searchAll(Strategy.Exhaustive strategy) {
    int[] path = new int[0];
    while (path != null) {
      if (schedules >= check.most() || isOutOfTime()) {
        return null;
      }
      PathDecisions decisions = new PathDecisions(path);
      Outcome outcome = trial(decisions, 0);
      if (decisions.isMisfit()) {
        return changed(path);
      }
      if (outcome.failed()) {
        return explain(outcome, Replay.Path.of(outcome.decisions().choices()), 0);
      }
      path = next(outcome.decisions(), strategy.preemptions());
    }
    complete = true;
    return null;
  }

  /** A run had less to choose from than one that began alike. */
  private Failure changed(int[] path) {
    String message =
        "A run that began like an earlier one had other choices (" + Replay.Path.of(path) + "): the program does not do the same twice.";
    return new Failure(
        Kind.NONDETERMINISTIC, message + check.explainDifference(), null, "", List.of(), 0, Trial.NOBODY_WAITS);
  }

  private static int @Nullable [] next(Decisions made, int preemptions) {
    int count = made.count();
    int[] choices = Arrays.copyOf(made.choices(), count);
    int[] spent = new int[count + 1];
    for (int i = 0; i < count; i++) {
      spent[i + 1] = spent[i] + (made.isPreemptible(i) && choices[i] > 0 ? 1 : 0);
    }
    for (int i = count - 1; i >= 0; i--) {
      boolean affordable = !made.isPreemptible(i) || spent[i] < preemptions;
      if (choices[i] + 1 < made.sizeAt(i) && affordable) {
        int[] path = Arrays.copyOf(choices, i + 1);
        path[i]++;
        return path;
      }
    }
    return null;
  }

  // ---- one ----

  private boolean isOutOfTime() {
    return cancelled || (check.timeLimit() != null && elapsed().compareTo(check.timeLimit()) >= 0);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only this thread writes them
  private Outcome trial(Decisions decisions, long seed) {
    Outcome outcome = Trial.run(check, decisions, seed, Recording.NOTHING, watch);
    schedules++;
    operations += outcome.length();
    check.afterRun();
    return outcome;
  }

  /** Shortens a schedule that fails, and runs it once more with lines. */
  private Failure explain(Outcome found, Replay replay, long seed) {
    if (found.kind() == Kind.BLOCKED_OUTSIDE) {
      return failure(found, found, replay);
    }
    int[] path =
        new Shortening(
                found,
                choices -> {
                  Outcome outcome = Trial.run(check, new PathDecisions(choices), seed, Recording.NOTHING, watch);
                  check.afterRun();
                  return outcome;
                },
                this::isOutOfTime)
            .shortest();
    Outcome shown = Trial.run(check, new PathDecisions(path), seed, Recording.LINES, watch);
    check.afterRun();
    if (shown.kind() == Kind.BLOCKED_OUTSIDE) {
      // What looked like a deadlock was a wait for a thread outside, which takes its time.
      return failure(shown, found, replay);
    }
    if (shown.kind() != found.kind()) {
      String message = "A schedule failed (" + found.message() + ") and, run again, " + (shown.failed() ? shown.message() : "did not.");
      return new Failure(
          Kind.NONDETERMINISTIC,
          message + check.explainDifference(),
          found.cause(),
          replay.toString(),
          List.of(),
          found.length(),
          found.graph());
    }
    return failure(shown, found, replay);
  }

  private static Failure failure(Outcome shown, Outcome found, Replay replay) {
    return new Failure(
        Objects.requireNonNull(shown.kind()),
        shown.message(),
        shown.cause(),
        replay.toString(),
        shown.steps(),
        found.length(),
        shown.graph());
  }
}

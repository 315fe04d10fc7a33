// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.time.Duration;
import java.util.Collections;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What came of a run. */
record Report(
    long seed,
    Duration length,
    int places,
    int workers,
    int processes,
    Map<Fault, Integer> faults,
    History history,
    List<String> violations) {
  private static final int SHOWN = 20;

  @Override
  public String toString() {
    Formatter text = new Formatter(Locale.ROOT);
    HandOvers handOvers = HandOvers.of(history);
    text.format("seed %d, %d s: %d processes at a time (%d in all) with %d workers each, %d servers one after the other%n",
        seed, length.toSeconds(), places, processes, workers, history.epochs.size());
    text.format("  operations    %d asked, %d granted%s%n", history.asked, history.tenures.size(),
        history.refusals.entrySet().stream().map(e -> ", " + e.getValue() + " " + e.getKey()).collect(Collectors.joining()));
    text.format("  lost          %s%n", losses());
    text.format("  on the server %s%n", counts());
    text.format("  faults        %d: %s%n", faults.values().stream().mapToInt(n -> n).sum(),
        faults.entrySet().stream().map(e -> e.getKey().text + " " + e.getValue()).collect(Collectors.joining(", ")));
    text.format("  hand-over     %d: median %s, 99 %% within %s, worst %s%n", handOvers.nanos().size(),
        CapacityCheck.millis(handOvers.perMille(500)), CapacityCheck.millis(handOvers.perMille(990)),
        CapacityCheck.millis(handOvers.perMille(1000)));
    text.format("  forgotten     %d leases, by servers that lost data; then up to %s%n", new Forgetting(history).count(), OverAdmission.of(history));
    text.format("  after calm    %d served, worst after %s%n", history.waits.size(),
        CapacityCheck.millis(history.waits.isEmpty() ? 0 : Collections.max(history.waits)));
    text.format("  violations    %d%n", violations.size());
    violations.stream().limit(SHOWN).forEach(violation -> text.format("    %s%n", violation));
    return text.toString();
  }

  private String losses() {
    Map<String, Integer> reasons = new TreeMap<>();
    history.tenures.forEach(tenure -> tenure.losses.forEach(loss -> reasons.merge(loss.why(), 1, Integer::sum)));
    return reasons.entrySet().stream().map(e -> e.getValue() + " " + e.getKey()).collect(Collectors.joining(", "));
  }

  private String counts() {
    Map<ServerEvent.Kind, Long> kinds =
        history.epochs.stream().flatMap(epoch -> epoch.events().stream()).collect(Collectors.groupingBy(ServerEvent::kind, Collectors.counting()));
    return kinds.getOrDefault(ServerEvent.Kind.GRANTED, 0L) + " grants, "
        + kinds.getOrDefault(ServerEvent.Kind.ENTERED, 0L) + " times somebody had to wait";
  }
}

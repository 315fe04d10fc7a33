// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.time.Duration;
import java.util.Collections;
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
    StringBuilder text = new StringBuilder();
    HandOvers handOvers = HandOvers.of(history);
    line(text, "seed %d, %d s: %d processes at a time (%d in all) with %d workers each, %d servers one after the other",
        seed, length.toSeconds(), places, processes, workers, history.epochs.size());
    line(text, "  operations    %d asked, %d granted%s", history.asked, history.tenures.size(),
        history.refusals.entrySet().stream().map(e -> ", " + e.getValue() + " " + e.getKey()).collect(Collectors.joining()));
    line(text, "  lost          %s", losses());
    line(text, "  on the server %s", counts());
    line(text, "  faults        %d: %s", faults.values().stream().mapToInt(n -> n).sum(),
        faults.entrySet().stream().map(e -> e.getKey().text + " " + e.getValue()).collect(Collectors.joining(", ")));
    line(text, "  hand-over     %d: median %s, 99 %% within %s, worst %s", handOvers.nanos().size(),
        CapacityCheck.millis(handOvers.perMille(500)), CapacityCheck.millis(handOvers.perMille(990)),
        CapacityCheck.millis(handOvers.perMille(1000)));
    line(text, "  forgotten     %d leases, by servers that lost data; then up to %s", new Forgetting(history).count(), OverAdmission.of(history));
    line(text, "  after calm    %d served, worst after %s", history.waits.size(),
        CapacityCheck.millis(history.waits.isEmpty() ? 0 : Collections.max(history.waits)));
    line(text, "  violations    %d", violations.size());
    violations.stream().limit(SHOWN).forEach(violation -> line(text, "    %s", violation));
    return text.toString();
  }

  private static void line(StringBuilder text, String format, Object... what) {
    text.append(String.format(Locale.ROOT, format, what)).append('\n');
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

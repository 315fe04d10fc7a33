// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.lease.LeaseStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All that was seen in a run, by processes and on servers. */
final class History {
  final List<Epoch> epochs = new ArrayList<>();
  final List<Tenure> tenures = new ArrayList<>();

  /** How often something was asked for. */
  long asked;

  /** How requests have ended that were not granted, and how often. */
  final Map<String, Integer> refusals = new TreeMap<>();

  /** How long, in nanoseconds, those had to wait who asked when all was well again. */
  final List<Long> waits = new ArrayList<>();

  /** How many of them there should be. */
  int expectedWaits;

  /** How the names are doing when all have gone. */
  final List<LeaseStats> stats = new ArrayList<>();

  /** Keys that are left when all have gone, and should not be. */
  final List<String> residue = new ArrayList<>();

  /** What processes have complained of that nobody has done to them. */
  final List<String> complaints = new ArrayList<>();

  /** Adds what is written in a journal. A line that was cut off because its process was {@code killed} counts as not written. */
  void read(Path journal, boolean killed) throws IOException {
    String text = Files.readString(journal);
    Map<String, Tenure> byId = new HashMap<>();
    text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> read(line.split(" "), byId));
    byId.values().forEach(tenure -> tenure.killed = killed);
    tenures.addAll(byId.values());
  }

  private void read(String[] word, Map<String, Tenure> byId) {
    long time = Long.parseLong(word[1]);
    switch (word[0]) {
      case "ask" -> asked++;
      case "none" -> refusals.merge(word[3], 1, Integer::sum);
      case "got" ->
          byId.put(
              word[3],
              new Tenure(word[2], word[3], Integer.parseInt(word[4]), Long.parseLong(word[5]), Long.parseLong(word[6]), time));
      case "valid" -> of(byId, word[2]).validUntil = time;
      case "lost" -> of(byId, word[2]).losses.add(new Tenure.Loss(time, word[3]));
      case "ending" -> of(byId, word[2]).ending = time;
      case "ended" -> of(byId, word[2]).ended = word[3];
      case "served" -> waits.add(Long.parseLong(word[3]));
      default -> throw new IllegalStateException("No journal has such a line: " + String.join(" ", word));
    }
  }

  private static Tenure of(Map<String, Tenure> byId, String id) {
    Tenure tenure = byId.get(id);
    if (tenure == null) {
      throw new IllegalStateException("The journal speaks of " + id + ", which was never granted");
    }
    return tenure;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.corpus;

import java.util.List;
import java.util.stream.Stream;

/** All the bugs. */
final class Corpus {
  private Corpus() {}

  static List<Bug> all() {
    return Stream.of(
            LockOrder.bugs(),
            WaitingForEachOther.bugs(),
            Races.bugs(),
            WakeUps.bugs(),
            Meetings.bugs(),
            Leaks.bugs(),
            Releases.bugs(),
            Livelocks.bugs())
        .flatMap(List::stream)
        .toList();
  }
}

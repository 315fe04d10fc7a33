// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log that is never changed: with one more entry it is another log, which shares the rest with this one. */
record Log(@Nullable Log before, @Nullable LogEntry newest) {
  static final Log EMPTY = new Log(null, null);

  Log plus(LogEntry entry) {
    return new Log(this, entry);
  }

  /** What was added to {@code start}, which this log has grown from, oldest first. */
  List<LogEntry> since(Log start) {
    List<LogEntry> entries = new ArrayList<>();
    for (Log log = this; log != start && log != null && log.newest != null; log = log.before) {
      entries.add(log.newest);
    }
    Collections.reverse(entries);
    return Collections.unmodifiableList(entries);
  }
}

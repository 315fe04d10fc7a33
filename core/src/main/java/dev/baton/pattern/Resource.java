// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.host.Host;
import org.jspecify.annotations.Nullable;

/** A resource of a pool, and since when it is idle. */
final class Resource {
  final Object value;

  // Written by whoever has it, before it becomes idle; only if idle ones grow too old.

  /** The clock by which {@link #idleSince} was read. */
  @Nullable Host clock;

  long idleSince;

  Resource(Object value) {
    this.value = value;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that tasks wait for and have, which knows by itself who has it. */
public interface Held {

  /** Who has it now. Must not wait for longer than an operation of its own takes. */
  List<Holder> heldBy();

  /**
   * One who has it.
   *
   * @param host the host of the task
   * @param task the task as its host knows it; null if a future has it
   * @param permits how many
   */
  record Holder(Host host, @Nullable Object task, long permits) {}
}

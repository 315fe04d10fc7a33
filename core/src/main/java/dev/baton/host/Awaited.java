// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.util.List;

/** Something that ends when tasks do, so that whoever waits for it waits for them. */
public interface Awaited {

  /** The tasks, as their host knows them, whose end is waited for: those that have started and not ended. */
  List<Object> awaitedTasks();
}

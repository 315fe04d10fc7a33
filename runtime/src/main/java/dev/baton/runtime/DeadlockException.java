// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

import dev.baton.observe.WaitGraph;

/** No task can run any more, and nothing is awaited that could change that. */
public final class DeadlockException extends RuntimeException {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // for a look at once, not for a wire
  private final transient WaitGraph graph;

  /**
   * A deadlock in which {@code graph} says who waits for what.
   *
   * @param graph who waits for what
   */
  public DeadlockException(WaitGraph graph) {
    super("No task can run, and nothing outside is awaited.\n" + graph);
    this.graph = graph;
  }

  /** {@return who waited for what} */
  public WaitGraph graph() {
    return graph;
  }
}

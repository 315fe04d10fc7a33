// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

/** The tasks that could run next: those of the highest priority, in the order in which they became able to. At least two. */
public interface Candidates {

  /** {@return how many there are} */
  int size();

  /** {@return the index of the task that has run so far, if it could go on; it is then the last one; otherwise -1} */
  int running();

  /**
   * {@return the number of a candidate: tasks are numbered from 0 in the order in which they were started}
   *
   * @param index from 0 to {@link #size} - 1
   */
  int task(int index);
}

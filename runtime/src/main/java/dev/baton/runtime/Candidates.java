// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime;

/** The tasks that could run next: those of the highest priority, in the order in which they became able to. At least two. */
public interface Candidates {

  /** How many there are. */
  int size();

  /** The index of the task that has run so far, if it could go on; it is then the last one. Otherwise -1. */
  int running();

  /** The number of a candidate: tasks are numbered from 0 in the order in which they were started. */
  int task(int index);
}

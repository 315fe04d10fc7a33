// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import org.jspecify.annotations.Nullable;

/**
 * A read that is held by an object, which any thread may close; what {@link ReadHolders} have written down about it. Kept here, so that
 * nothing has to be allocated, or looked for, once the lock is taken.
 */
abstract class ReadHold {
  /** The task that was written down as the reader, or {@link ReadHolders#NOBODY}. */
  long reader = ReadHolders.NOBODY;

  /** What is known about it, if it was written down. */
  @Nullable Object taker;

  /** Where it was written down. */
  int place = Places.NONE;
}

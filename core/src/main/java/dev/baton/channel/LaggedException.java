// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

/** A subscriber was too slow, and the oldest values it had not received were dropped. The next receive brings those that are left. */
public final class LaggedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  private final long missed;

  LaggedException(long missed, int capacity) {
    super(
        (missed == 1 ? "1 value was missed" : missed + " values were missed")
            + ": this subscriber was more than "
            + capacity
            + " behind. Go on receiving: the next is the oldest that is left. Use Broadcast.buffered() if nothing may be missed.");
    this.missed = missed;
  }

  /** {@return how many values were missed since the last one that was received, or since the last time that some were} */
  public long missed() {
    return missed;
  }
}

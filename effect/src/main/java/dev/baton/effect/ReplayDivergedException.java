// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.Optional;

/** A program performs another effect than the one that was recorded. */
public final class ReplayDivergedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int position;

  ReplayDivergedException(String task, int position, Optional<Recording.Entry> expected, Effect<?> performed) {
    super(
        "The replay diverges at effect "
            + position
            + " of "
            + task
            + ": recorded was "
            + expected.map(ReplayDivergedException::describe).orElse("nothing any more")
            + ", performed is "
            + Texts.of(performed)
            + ". Record anew if the program has changed; else something besides the recorded effects differs between the runs.");
    this.position = position;
  }

  private static String describe(Recording.Entry entry) {
    String key = Texts.of(entry.key());
    String type = entry.type().getSimpleName();
    return (key.startsWith(type) ? key : type + " of " + key) + (entry.task().isEmpty() ? "" : " by " + entry.task());
  }

  /** {@return which of the recorded effects of its task it was, counted from 1} */
  public int position() {
    return position;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A lease as its holder has seen it. Times are nanoseconds of the clock that all processes of a machine share. */
final class Tenure {
  static final long NEVER = Long.MIN_VALUE;

  final String name;
  final String id;
  final int permits;
  final long token;
  final long asked;
  final long got;

  /** When it was seen to be valid for the last time: it was so from {@link #got} on. */
  long validUntil = NEVER;

  /** When its holder began to give it back. */
  long ending = NEVER;

  /** Whether its process was killed, then or later: it may not have written down all it was told. */
  boolean killed;

  /** What a release was answered; null if there was none. */
  @Nullable String ended;

  /** When and why it was said to be lost. */
  final List<Loss> losses = new ArrayList<>();

  record Loss(long time, String why) {}

  Tenure(String name, String id, int permits, long token, long asked, long got) {
    this.name = name;
    this.id = id;
    this.permits = permits;
    this.token = token;
    this.asked = asked;
    this.got = got;
  }

  boolean wasValid() {
    return validUntil != NEVER;
  }

  @Override
  public String toString() {
    return name + " " + id + " (token " + token + ")";
  }
}

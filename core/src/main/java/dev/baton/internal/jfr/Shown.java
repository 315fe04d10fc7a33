// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import dev.baton.host.Frames;
import java.util.Map;

/** How things are shown in events. */
public final class Shown {
  /** What the classes inside are called outside. */
  private static final Map<String, String> KINDS =
      Map.of(
          "Outcome", "Promise",
          "Fork", "Task",
          "Nursery", "Scope",
          "ExclusiveCondition", "Condition",
          "HostedFuture", "Future",
          "NameState", "LeaseSemaphore",
          "Line", "LeaseSemaphore");

  private Shown() {}

  /** The kind of primitive, as users know it. */
  public static String kind(Object primitive) {
    String inside = primitive.getClass().getSimpleName();
    return KINDS.getOrDefault(inside, inside);
  }

  /** What it says of itself; the user's own kind of thing is not asked. */
  static String text(Object primitive) {
    return Frames.isUsers(primitive.getClass().getName()) ? "" : String.valueOf(primitive);
  }
}

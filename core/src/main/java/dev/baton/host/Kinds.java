// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.util.Map;

/** The kinds of primitives, as users know them: in dumps, traces and recordings. */
public final class Kinds {
  /** What the classes inside are called outside. */
  private static final Map<String, String> OUTSIDE =
      Map.ofEntries(
          Map.entry("EffectTask", "Task"),
          Map.entry("ExclusiveCondition", "Condition"),
          Map.entry("Fork", "Task"),
          Map.entry("GrantFuture", "Future"),
          Map.entry("HeldLease", "Lease"),
          Map.entry("HostedFuture", "Future"),
          Map.entry("InnerFuture", "Promise"),
          Map.entry("LeaseFuture", "Future"),
          Map.entry("Line", "LeaseSemaphore"),
          Map.entry("NameState", "LeaseSemaphore"),
          Map.entry("Nursery", "Scope"),
          Map.entry("OuterFuture", "ExternalPromise"),
          Map.entry("OfAll", "Gather"),
          Map.entry("OfFirst", "Race"),
          Map.entry("Outcome", "Promise"),
          Map.entry("ParallelRun", "Parallel"),
          Map.entry("Submitted", "Future"));

  private Kinds() {}

  /** The kind of {@code primitive}. */
  public static String of(Object primitive) {
    String inside = primitive.getClass().getSimpleName();
    return OUTSIDE.getOrDefault(inside, inside);
  }
}

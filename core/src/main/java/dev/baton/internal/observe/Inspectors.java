// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** All the inspectors. */
public final class Inspectors {
  private static final CopyOnWriteArrayList<Inspector> ALL = new CopyOnWriteArrayList<>();

  private Inspectors() {}

  /** Asks {@code inspector} too from now on; does nothing if it is asked already. */
  public static void install(Inspector inspector) {
    ALL.addIfAbsent(inspector);
  }

  /** What {@code wait} waits for. */
  public static Target target(Waits.Entry wait) {
    return ALL.stream()
        .map(inspector -> inspector.target(wait))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> Target.of(wait.blocker()));
  }

  /** Who has it. */
  public static List<Holding> holders(Target target) {
    return ALL.stream().map(inspector -> inspector.holders(target)).filter(all -> !all.isEmpty()).findFirst().orElse(List.of());
  }
}

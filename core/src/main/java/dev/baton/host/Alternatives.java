// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is really waited for by a task that says it waits for something: mostly that itself, but for a select, any one of several
 * things. Asked by whoever draws who waits for what; those who wait pay nothing for it.
 */
public final class Alternatives {
  private static volatile Function<Object, @Nullable List<Part>> known = blocker -> null;

  private Alternatives() {}

  /**
   * One of the things that are waited for.
   *
   * @param primitive the primitive, as one would name it who waits for it alone
   * @param permits how many are asked for; 0 where nothing is counted
   */
  public record Part(Object primitive, long permits) {}

  /** From now on {@code parts} is asked; it answers null for what is none of its own. Called before anybody can wait for such. */
  public static void install(Function<Object, @Nullable List<Part>> parts) {
    known = parts;
  }

  /** The things of which any one ends a wait for {@code blocker}; null if it is one thing, itself. */
  public static @Nullable List<Part> of(Object blocker) {
    return known.apply(blocker);
  }
}

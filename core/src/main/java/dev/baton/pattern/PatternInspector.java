// SPDX-License-Identifier: Apache-2.0
package dev.baton.pattern;

import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Inspector;
import dev.baton.internal.observe.Inspectors;
import dev.baton.internal.observe.Target;
import dev.baton.internal.observe.Waits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells who has borrowed what in this package. */
final class PatternInspector implements Inspector {
  private static final PatternInspector INSTANCE = new PatternInspector();

  private PatternInspector() {}

  /** Called before the first primitive of its kind is made. */
  static void install() {
    Inspectors.install(INSTANCE);
  }

  @Override
  public @Nullable Target target(Waits.Entry wait) {
    return wait.blocker() instanceof Pool<?> pool ? new Target(pool, "", 1) : null;
  }

  @Override
  public List<Holding> holders(Target target) {
    return target.primitive() instanceof Pool<?> pool ? pool.holdings() : List.of();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.sync;

import dev.baton.internal.kernel.Request;
import dev.baton.internal.observe.Holding;
import dev.baton.internal.observe.Inspector;
import dev.baton.internal.observe.Inspectors;
import dev.baton.internal.observe.Target;
import dev.baton.internal.observe.Waits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells who holds what in this package. */
final class SyncInspector implements Inspector {
  /** The place from which an {@link RwLock} can be upgraded, which one task has. */
  private static final String PLACE = "the upgradable guard";

  /** What an upgrade waits for: that the others stop reading. */
  private static final String UPGRADE = "the upgrade";

  private static final SyncInspector INSTANCE = new SyncInspector();

  private SyncInspector() {}

  /** Called before the first primitive of its kind is made. */
  static void install() {
    Inspectors.install(INSTANCE);
  }

  @Override
  public @Nullable Target target(Waits.Entry wait) {
    return switch (wait.blocker()) {
      case Semaphore semaphore -> new Target(semaphore, "", wait.waiter() instanceof Request request ? request.need() : 0);
      case RwLock rw -> new Target(rw, side(rw, wait), 0);
      // Once signalled, it waits for the lock like any other.
      case ExclusiveCondition condition ->
          Target.of(
              wait.waiter() instanceof ConditionRequest request && request.hasEnded()
                  ? condition.lock().ledgerKey()
                  : condition);
      case Mutex mutex -> Target.of(mutex);
      case OnceCell<?> cell -> Target.of(cell);
      default -> null;
    };
  }

  private static String side(RwLock rw, Waits.Entry wait) {
    if (wait.waiter() instanceof Upgrades.PlaceRequest) {
      return PLACE;
    }
    // Whoever has the place and waits all the same can only be upgrading: any other wait for itself is refused.
    return rw.upgrades().isHeldBy(wait.task()) ? UPGRADE : "";
  }

  @Override
  public List<Holding> holders(Target target) {
    return switch (target.primitive()) {
      case Semaphore semaphore -> semaphore.holdings();
      case Mutex mutex -> mutex.holdings();
      case RwLock rw -> holders(rw, target.side());
      case OnceCell<?> cell -> cell.holdings();
      default -> List.of();
    };
  }

  private static List<Holding> holders(RwLock rw, String side) {
    return switch (side) {
      case PLACE -> rw.upgrades().holdings();
      // Its own read is not in its way.
      case UPGRADE -> rw.holdings().stream().filter(holding -> !rw.upgrades().isHeldBy(holding.task())).toList();
      default -> rw.holdings();
    };
  }
}

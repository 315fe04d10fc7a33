// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks into primitives whose insides only their own package knows. A package that has such primitives installs one before the first
 * of them is made, and so before anybody can wait for it.
 */
public interface Inspector {

  /** What {@code wait} waits for, or null if that is none of the inspector's primitives. */
  @Nullable Target target(Waits.Entry wait);

  /** Who has it; empty if nobody is known to, or it is not something to have. */
  List<Holding> holders(Target target);
}

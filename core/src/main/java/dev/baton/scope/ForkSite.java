// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a task was forked. Finding out costs several times as much as the fork. */
final class ForkSite {
  private static final Set<String> OURS = Set.of(ForkSite.class.getName(), Scope.class.getName());

  private ForkSite() {}

  /** The line that called the scope. */
  static @Nullable StackTraceElement find() {
    return StackWalker.getInstance()
        .walk(frames -> frames.filter(f -> !OURS.contains(f.getClassName())).findFirst())
        .map(StackWalker.StackFrame::toStackTraceElement)
        .orElse(null);
  }
}

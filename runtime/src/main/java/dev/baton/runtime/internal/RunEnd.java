// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.observe.WaitGraph;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run went, beside what its first task returned.
 *
 * @param problem why it was ended before its time, or null
 * @param left who was left when the first task had ended, and what they waited for; empty if nobody was
 * @param leftTasks their names
 * @param held what was still held in the end
 * @param uncaught what was thrown by tasks whose result nobody keeps
 * @param steps how many operations it took
 */
public record RunEnd(
    @Nullable Problem problem,
    WaitGraph left,
    List<String> leftTasks,
    List<WaitGraph.Hold> held,
    List<Throwable> uncaught,
    long steps) {}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

import dev.baton.runtime.Clock;
import dev.baton.runtime.Engine;
import dev.baton.runtime.Policy.Decider;
import dev.baton.runtime.Stall;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a run goes.
 *
 * @param decider who is next
 * @param clock what time it is
 * @param engine how tasks are switched
 * @param seed where randomness comes from
 * @param closed whether nothing outside counts: a wait for something made outside is then as good as any, and tasks that are left
 *     when the first one has ended are thrown out
 * @param lines whether it is written down where primitives were made and taken
 * @param stepLimit how many operations a run may take
 * @param observer who looks on
 * @param stallAfter after how long without any progress somebody is told
 * @param onStall who is told
 */
public record RunSettings(
    Decider decider,
    Clock clock,
    Engine engine,
    long seed,
    boolean closed,
    boolean lines,
    long stepLimit,
    Observer observer,
    Duration stallAfter,
    Consumer<Stall> onStall) {}

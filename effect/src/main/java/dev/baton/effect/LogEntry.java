// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that was told.
 *
 * @param time when, by the clock of the run
 * @param message what
 */
public record LogEntry(Instant time, @Nullable Object message) {}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.time.Instant;

/**
 * Reads the clock of the run. See {@link Effects#now}.
 */
public record GetTime() implements Effect<Instant> {}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * Adds to the log of the task. See {@link Effects#tell}.
 *
 * @param message what
 */
public record Tell(@Nullable Object message) implements Effect<@Nullable Void> {}

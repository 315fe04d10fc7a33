// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * Makes a promise that this run keeps itself. See {@link Effects#promise}.
 *
 * @param <T> the type of its value
 */
public record CreatePromise<T extends @Nullable Object>() implements Effect<Promise<T>> {}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * Makes a promise that somebody outside of the run keeps. See {@link Effects#externalPromise}.
 *
 * @param <T> the type of its value
 */
public record CreateExternalPromise<T extends @Nullable Object>() implements Effect<ExternalPromise<T>> {}

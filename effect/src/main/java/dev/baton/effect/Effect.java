// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * Something that a program asks for and a handler answers: a record, most often.
 *
 * {@snippet :
 * record Price(String article) implements Effect<Integer> {}
 *
 * Program<Integer> total = () -> Effects.perform(new Price("tea")) + Effects.perform(new Price("milk"));
 * RunResult<Integer> result =
 *     Effects.run(total, Handlers.defaults().with(Handlers.of(Price.class, price -> price.article().length())));
 * }
 *
 * <p>Handlers are found by the class of the effect itself, not by a class or interface above it.
 *
 * @param <R> the type of the answer
 */
public interface Effect<R extends @Nullable Object> {}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/**
 * Code that may {@linkplain Effects#perform perform} effects. It is plain direct code: a call, a loop, a try with a finally.
 *
 * @param <T> what it returns
 */
@FunctionalInterface
public interface Program<T extends @Nullable Object> {

  /**
   * Runs, in the task that calls.
   *
   * @return what whoever runs it gets
   * @throws Exception what whoever runs it gets
   */
  T run() throws Exception;
}

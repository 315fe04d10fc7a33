// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/** Shows effects, keys and values in messages. How they show themselves is foreign code, which must not get in the way. */
final class Texts {
  private Texts() {}

  static String of(@Nullable Object value) {
    try {
      return String.valueOf(value);
    } catch (RuntimeException | StackOverflowError broken) {
      // Not null: that can be shown.
      return String.valueOf(value == null ? null : value.getClass().getName()) + " (which cannot be shown)";
    }
  }
}

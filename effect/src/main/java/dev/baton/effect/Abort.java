// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import org.jspecify.annotations.Nullable;

/** Unwinds a program whose handler has returned without resuming it. An error, so that it is not caught by mistake. */
final class Abort extends Error {
  private static final long serialVersionUID = 1;

  private final transient Activation activation;
  private final transient @Nullable Object value;

  Abort(Activation activation, @Nullable Object value) {
    super("A handler has ended this program.", null, false, false);
    this.activation = activation;
    this.value = value;
  }

  Activation activation() {
    return activation;
  }

  @Nullable Object value() {
    return value;
  }
}

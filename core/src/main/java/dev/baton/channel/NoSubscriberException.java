// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import org.jspecify.annotations.Nullable;

/** Nobody was subscribed, so the value was not sent: it is in here. */
public final class NoSubscriberException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  // Any value may be sent, also one that cannot be written out.
  private final transient @Nullable Object value;

  NoSubscriberException(Object value) {
    super("Nobody is subscribed, so nothing was sent: value() is what was not. Subscribe first, or use trySend.");
    this.value = value;
  }

  /** {@return the value that was not sent; null only if this exception was serialized} */
  public @Nullable Object value() {
    return value;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.internal.kernel.Failures;

/** The channel was ended with an error, which is the cause. */
public final class ChannelFailedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ChannelFailedException(Throwable cause) {
    super("The channel has failed: " + Failures.shown(cause), cause);
  }
}

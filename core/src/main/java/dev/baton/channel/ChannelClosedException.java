// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

/** The channel is closed: nothing can be sent any more, and everything that was sent has been received. */
public final class ChannelClosedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ChannelClosedException(String message) {
    super(message);
  }
}

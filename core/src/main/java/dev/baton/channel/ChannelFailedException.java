// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

/** The channel was ended with an error, which is the cause. */
public final class ChannelFailedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  ChannelFailedException(Throwable cause) {
    super("The channel has failed: " + shown(cause), cause);
  }

  /** What an error says of itself is foreign code, and may fail in its turn: whoever waits must still be told of the end. */
  private static String shown(Throwable cause) {
    try {
      return cause.toString();
    } catch (Throwable foreign) {
      return cause.getClass().getName();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import org.jspecify.annotations.Nullable;

/**
 * A queue with a second line, of those who send, beside the inherited one.
 *
 * <p>It is what {@link RequestList} is, written out once more: as an object of its own it would have a cache line of its own, and whoever takes the
 * lock on another core would have to fetch both. A rendezvous took some 15 % longer.
 */
abstract class TwoLineQueue extends WaitQueue {
  private @Nullable Request headSender;

  /** The last, if several stand there. */
  private @Nullable Request tailSender;

  private int senders;

  /** The first in the line of senders, or null. */
  final @Nullable Request firstSender() {
    return headSender;
  }

  /** How many stand in it. */
  final int senders() {
    return senders;
  }

  /** Puts {@code sender} at its end. */
  final void appendSender(Request sender) {
    Request before = tailSender == null ? headSender : tailSender;
    if (before == null) {
      headSender = sender;
    } else {
      sender.previous = before;
      before.next = sender;
      tailSender = sender;
    }
    senders++;
  }

  /** Takes the first out of it, or returns null. */
  final @Nullable Request pollSender() {
    Request first = headSender;
    if (first != null) {
      Request second = first.next;
      headSender = second;
      if (second != null) {
        second.previous = null;
        first.next = null;
        if (second == tailSender) {
          tailSender = null;
        }
      }
      senders--;
    }
    return first;
  }

  /** Takes {@code sender}, which stands in it, out and clears its links. */
  final void removeSender(Request sender) {
    if (sender == headSender) {
      pollSender();
      return;
    }
    Request before = sender.previous;
    Request after = sender.next;
    if (before != null) {
      before.next = after;
    }
    if (after == null) {
      tailSender = before == headSender ? null : before;
    } else {
      after.previous = before;
    }
    sender.previous = null;
    sender.next = null;
    senders--;
  }
}

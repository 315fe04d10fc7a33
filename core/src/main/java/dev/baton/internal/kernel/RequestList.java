// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list threaded through its requests: O(1) at both ends and in the middle. Guarded by its owner.
 *
 * <p>To store a young object in an old one costs a fence with the usual garbage collector, and queues grow old. So what need not be stored here is not.
 */
public class RequestList {
  private @Nullable Request head;

  /** The last in line, if several stand there. */
  private @Nullable Request tail;

  private int size;

  /** An empty list. */
  public RequestList() {}

  /** The first in line, or null. */
  public final @Nullable Request first() {
    return head;
  }

  /** How many stand in line. */
  public final int size() {
    return size;
  }

  /** Puts {@code request} at the end. */
  public final void append(Request request) {
    Request before = last();
    if (before == null) {
      head = request;
    } else {
      request.previous = before;
      before.next = request;
      tail = request;
    }
    size++;
  }

  /** Puts {@code request} in front of all others. */
  public final void prepend(Request request) {
    Request second = head;
    head = request;
    if (second != null) {
      request.next = second;
      second.previous = request;
      if (tail == null) {
        tail = second;
      }
    }
    size++;
  }

  /** Takes the first out of the list, or returns null. */
  public final @Nullable Request poll() {
    Request first = head;
    if (first != null) {
      Request second = first.next;
      head = second;
      if (second != null) {
        // Whoever waits next must not keep what the one before it was given.
        second.previous = null;
        first.next = null;
        if (second == tail) {
          tail = null;
        }
      }
      size--;
    }
    return first;
  }

  /** The last in line, or null. */
  public final @Nullable Request last() {
    return tail == null ? head : tail;
  }

  /** Takes {@code request}, which stands in this list, out of it and clears its links. */
  public final void remove(Request request) {
    if (request == head) {
      poll();
      return;
    }
    Request before = request.previous;
    Request after = request.next;
    if (before != null) {
      before.next = after;
    }
    if (after == null) {
      tail = before == head ? null : before;
    } else {
      after.previous = before;
    }
    request.previous = null;
    request.next = null;
    size--;
  }

  /** The request behind {@code request}. */
  final @Nullable Request after(Request request) {
    return request.next;
  }
}

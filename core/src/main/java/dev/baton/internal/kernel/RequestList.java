// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import org.jspecify.annotations.Nullable;

/** A doubly linked list threaded through its requests: O(1) at both ends and in the middle. Guarded by its owner. */
public class RequestList {
  private @Nullable Request head;
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
    if (tail == null) {
      head = request;
    } else {
      request.previous = tail;
      tail.next = request;
    }
    tail = request;
    size++;
  }

  /** Puts {@code request} in front of all others. */
  public final void prepend(Request request) {
    Request second = head;
    head = request;
    request.next = second;
    if (second == null) {
      tail = request;
    } else {
      second.previous = request;
    }
    size++;
  }

  /** Takes the first out of the list, or returns null. */
  public final @Nullable Request poll() {
    Request first = head;
    if (first != null) {
      head = first.next;
      if (head == null) {
        tail = null;
      } else {
        // Whoever waits next must not keep what the one before it was given.
        head.previous = null;
      }
      first.previous = null;
      first.next = null;
      size--;
    }
    return first;
  }

  /** The last in line, or null. */
  public final @Nullable Request last() {
    return tail;
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
      tail = before;
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

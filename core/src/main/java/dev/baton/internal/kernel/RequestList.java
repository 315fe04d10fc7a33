// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import org.jspecify.annotations.Nullable;

/** A doubly linked list threaded through its requests: O(1) at both ends and in the middle. Guarded by its owner. */
public final class RequestList {
  private @Nullable Request head;
  private @Nullable Request tail;
  private int size;

  /** An empty list. */
  public RequestList() {}

  /** The first in line, or null. */
  public @Nullable Request first() {
    return head;
  }

  /** How many stand in line. */
  public int size() {
    return size;
  }

  /** Puts {@code request} at the end. */
  public void append(Request request) {
    request.previous = tail;
    if (tail == null) {
      head = request;
    } else {
      tail.next = request;
    }
    tail = request;
    size++;
  }

  /** Takes {@code request}, which stands in this list, out of it and clears its links. */
  public void remove(Request request) {
    Request before = request.previous;
    Request after = request.next;
    if (before == null) {
      head = after;
    } else {
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

  /** Takes the first out of the list, or returns null. */
  public @Nullable Request poll() {
    Request first = head;
    if (first != null) {
      remove(first);
    }
    return first;
  }

  /** The request behind {@code request}. */
  @Nullable Request after(Request request) {
    return request.next;
  }
}

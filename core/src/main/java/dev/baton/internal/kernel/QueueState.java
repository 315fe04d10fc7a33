// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import dev.baton.host.Host;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a {@link PermitQueue} looked like at one instant. */
public final class QueueState {
  private final long limit;
  private final long free;
  private final long reserved;
  private final long held;
  private final long debt;
  private final boolean closed;
  private final Request[] requests;
  private final int waiting;

  QueueState(
      long limit, long free, long reserved, long held, long debt, boolean closed, Request[] requests, int waiting) {
    this.limit = limit;
    this.free = free;
    this.reserved = reserved;
    this.held = held;
    this.debt = debt;
    this.closed = closed;
    this.requests = requests;
    this.waiting = waiting;
  }

  /** The limit. */
  public long limit() {
    return limit;
  }

  /** Permits anybody may take. */
  public long free() {
    return free;
  }

  /** Permits set aside for the first in line. */
  public long reserved() {
    return reserved;
  }

  /** Permits held. */
  public long held() {
    return held;
  }

  /** Permits that must come back before the lowered limit is reached. */
  public long debt() {
    return debt;
  }

  /** Whether the queue was closed. */
  public boolean closed() {
    return closed;
  }

  /** Builds a description of each waiting request, in order. */
  public <T> List<T> describe(Description<T> description) {
    List<T> all = new ArrayList<>(waiting);
    for (int i = 0; i < waiting; i++) {
      Request r = requests[i];
      Host host = r.host();
      Object task = r.task();
      String who = task == null ? "future" : host.describe(task);
      all.add(description.of(who, r.need, Duration.ofNanos(host.nanoTime() - r.since)));
    }
    return List.copyOf(all);
  }

  /** Describes one waiting request. */
  @FunctionalInterface
  public interface Description<T> {

    /** The description. */
    T of(String who, long permits, Duration waited);
  }
}

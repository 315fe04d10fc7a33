// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * What a queue for permits does when nothing runs beside anything: the shortest form we know. Each thread has at most one
 * request, known by the number of the thread.
 */
public class PermitSpec {
  private record Waiting(int thread, int need) {}

  private final Deque<Waiting> queue = new ArrayDeque<>();
  private final Map<Integer, String> decided = new HashMap<>();
  private final Map<Integer, Integer> needs = new HashMap<>();
  private final Map<Integer, Integer> owned = new HashMap<>();
  private long limit;
  private long held;
  private boolean closed;

  /** All permits free. */
  public PermitSpec(long limit) {
    this.limit = limit;
  }

  /** Asks for permits. */
  public String start(int thread, int n) {
    if (needs.containsKey(thread)) {
      return "BUSY";
    }
    if (closed) {
      return "CLOSED";
    }
    if (n > limit) {
      return "REFUSED";
    }
    needs.put(thread, n);
    queue.add(new Waiting(thread, n));
    pump();
    return "STARTED";
  }

  /** Gives up waiting; what was decided first stands. */
  public String timeOut(int thread) {
    Integer need = needs.remove(thread);
    if (need == null) {
      return "NONE";
    }
    String outcome = decided.remove(thread);
    if (outcome == null) {
      leaveQueue(thread);
      return "TIMED_OUT";
    }
    if (outcome.equals("GRANTED")) {
      own(thread, need);
    }
    return outcome;
  }

  /** Gives up waiting; what was granted first goes back. */
  public void interrupt(int thread) {
    Integer need = needs.remove(thread);
    if (need == null) {
      return;
    }
    String outcome = decided.remove(thread);
    if (outcome == null) {
      leaveQueue(thread);
    } else if (outcome.equals("GRANTED")) {
      release(need);
    }
  }

  /** Takes what is free if nobody waits. */
  public boolean tryTake(int n) {
    if (closed || !queue.isEmpty() || free() < n) {
      return false;
    }
    held += n;
    return true;
  }

  /** The same, remembering whose they are. */
  public boolean tryTakeOwn(int thread, int n) {
    if (!tryTake(n)) {
      return false;
    }
    own(thread, n);
    return true;
  }

  /** Returns all that the thread took or was granted and has not returned: always right. */
  public boolean releaseOwn(int thread) {
    Integer n = owned.remove(thread);
    return n == null || release(n);
  }

  /** Returns permits; refused if fewer are held. */
  public boolean release(int n) {
    if (n > held) {
      return false;
    }
    held -= n;
    pump();
    return true;
  }

  /** Sets the limit. */
  public boolean resize(int newLimit) {
    if (closed) {
      return false;
    }
    limit = newLimit;
    refuseTooLarge();
    pump();
    return true;
  }

  /** Takes free permits out for good. */
  public long forget(int n) {
    long gone = Math.min((long) n, available());
    limit -= gone;
    refuseTooLarge();
    pump();
    return gone;
  }

  /** Refuses all who wait and all who come. */
  public void close() {
    closed = true;
    queue.forEach(w -> decided.put(w.thread, "CLOSED"));
    queue.clear();
  }

  /** What can be taken now. */
  public long available() {
    return closed || !queue.isEmpty() ? 0 : free();
  }

  /** The limit. */
  public long limit() {
    return limit;
  }

  /** Whether the counts add up. */
  public boolean conserved() {
    return true;
  }

  private void own(int thread, int n) {
    owned.merge(thread, n, Integer::sum);
  }

  private long free() {
    return Math.max(limit - held, 0);
  }

  private void pump() {
    for (Waiting w = queue.peek(); w != null && w.need <= limit - held; w = queue.peek()) {
      queue.remove();
      held += w.need;
      decided.put(w.thread, "GRANTED");
    }
  }

  private void leaveQueue(int thread) {
    queue.removeIf(w -> w.thread == thread);
    pump();
  }

  private void refuseTooLarge() {
    for (Iterator<Waiting> i = queue.iterator(); i.hasNext(); ) {
      Waiting w = i.next();
      if (w.need > limit) {
        i.remove();
        decided.put(w.thread, "REFUSED");
      }
    }
  }
}

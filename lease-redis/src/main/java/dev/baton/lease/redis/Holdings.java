// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static dev.baton.lease.redis.Times.MILLI;

import dev.baton.lease.ReleaseResult;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.Terms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What this process holds, from the grant to the moment in which the server knows that it is over, or has to know by itself. */
final class Holdings {
  private static final long RELEASE_RETRY = 500 * MILLI;

  private final Calls calls;
  private final Timers timers;
  private final Beats beats;

  /** How long the answer to a release is waited for. */
  private final long timeout;

  /** By id. */
  private final ConcurrentHashMap<String, HeldLease> held = new ConcurrentHashMap<>();

  /** What is over before it was known to be granted, by id. */
  private final ConcurrentHashMap<String, HeldLease.State> early = new ConcurrentHashMap<>();

  Holdings(Calls calls, Timers timers, Beats beats, long timeout) {
    this.calls = calls;
    this.timers = timers;
    this.beats = beats;
    this.timeout = timeout;
  }

  @Nullable HeldLease find(String id) {
    return held.get(id);
  }

  Collection<HeldLease> all() {
    return held.values();
  }

  // ---- from the grant on ----

  /** It will be held, unless it is {@linkplain #remove removed} at once. */
  void put(HeldLease lease) {
    held.put(lease.id(), lease);
  }

  /** It is not held here. False: nor was it before. */
  boolean remove(HeldLease lease) {
    if (!held.remove(lease.id(), lease)) {
      return false;
    }
    if (lease.primitive() instanceof Line line) { // else it was not granted
      line.left();
    }
    return true;
  }

  /** It was granted; the server keeps it for {@code window} if it does not hear of it. */
  void begin(HeldLease lease, long window) {
    timers.watch(lease);
    beats.keep(lease.terms().window());
    if (window < lease.terms().window()) {
      beats.keepFirst(window);
    }
    if (!early.isEmpty()) {
      HeldLease.State gone = early.remove(lease.id());
      if (gone != null) {
        lost(lease, gone);
      }
    }
  }

  /** The server keeps it as long as if it was granted when that was {@code sent}; it has so many milliseconds left, or no end if negative. */
  void renewed(HeldLease lease, long sent, long remaining) {
    lease.keptUntil(sent + Times.kept(lease.terms().window()));
    if (remaining >= 0) {
      lease.prolong(sent, Times.certain(remaining));
    }
  }

  // ---- losing ----

  /** A lease was taken away or released elsewhere; perhaps, if it is {@code pending}, before the answer that grants it is here. */
  void gone(String id, HeldLease.State how, boolean pending) {
    if (pending) {
      early.put(id, how);
    }
    HeldLease lease = held.get(id);
    if (lease != null && lease.state() != HeldLease.State.NEW) {
      early.remove(id);
      lost(lease, how);
    }
  }

  /** It will not be granted any more. */
  void forgetEarly(HeldLease lease) {
    early.remove(lease.id());
  }

  /** At once, though this may be a thread of the connection: somebody else may have it already. */
  void lost(HeldLease lease, HeldLease.State how) {
    if (remove(lease)) {
      boolean ended = lease.end(how);
      timers.end(lease);
      if (how == HeldLease.State.REVOKED) {
        // The server keeps it until it hears that its holder knows.
        calls.inOrder(() -> releaseBehind(lease, "released"));
      }
      if (ended) {
        lease.tellOfLoss();
      }
    }
  }

  /** The server does not know it. */
  void forgotten(HeldLease lease) {
    lost(lease, lease.checkAt() - lease.host().nanoTime() <= 0 ? HeldLease.State.EXPIRED : HeldLease.State.UNREACHABLE);
  }

  /** Its time may be over. */
  void expire(HeldLease lease) {
    if (lease.endIfOver()) {
      if (lease.state() == HeldLease.State.EXPIRED) {
        // If it does not hear of that, the server finds out by itself a moment later. Before the lease is forgotten here: whoever then asks the
        // server to release it is behind this.
        calls.call(lease.name(), "expire", lease.id());
      }
      remove(lease);
      lease.tellOfLoss();
    } else if (lease.state() == HeldLease.State.HELD) {
      timers.watch(lease);
    }
  }

  /** One whose time was over: whoever asks the server for it from now on is behind that. To be told twice changes nothing there. */
  void settle(HeldLease lease) {
    if (lease.state() == HeldLease.State.EXPIRED && held.get(lease.id()) == lease) {
      calls.call(lease.name(), "expire", lease.id());
    }
  }

  // ---- giving back ----

  /** Brings it to its end here. False: it has ended before, and nothing changes. */
  boolean end(HeldLease lease, HeldLease.State how) {
    if (!lease.end(how)) {
      return false;
    }
    ended(lease);
    return true;
  }

  /** It has ended here. */
  void ended(HeldLease lease) {
    remove(lease);
    timers.end(lease);
  }

  /** Tells the server of one that has ended; null if it does not answer: then it is told again, until it must know by itself. */
  @Nullable ReleaseResult release(HeldLease lease) {
    List<Object> answer = Reply.orNull(calls.call(lease.name(), "release", "released", lease.id()), timeout);
    if (answer == null) {
      timers.at(timers.now() + RELEASE_RETRY, new LateRelease(lease, "released"));
      return null;
    }
    return result(answer);
  }

  static ReleaseResult result(List<Object> answer) {
    Object first = answer.getFirst();
    if (first.equals("RELEASED") || first instanceof Long) { // a number: it was alone
      return ReleaseResult.RELEASED;
    }
    return first.equals("EXPIRED") ? ReleaseResult.EXPIRED : ReleaseResult.UNKNOWN;
  }

  /** Gives back one that was granted too late. Not by a thread of a connection that has something to wait for. */
  void endBehind(HeldLease lease) {
    if (lease.end(HeldLease.State.RELEASED)) {
      remove(lease);
      calls.inOrder(() -> releaseBehind(lease, "released"));
    }
  }

  /** Releases it or has it leave the line, without waiting for that, and again until it is over anyway. */
  void releaseBehind(HeldLease lease, String how) {
    new LateRelease(lease, how).due();
  }

  /** A release that nobody waits for. */
  private final class LateRelease extends Deadlines.Entry {
    private final HeldLease lease;
    private final String how;
    private final long end;

    LateRelease(HeldLease lease, String how) {
      this.lease = lease;
      this.how = how;
      this.end = timers.now() + lease.terms().window();
    }

    @Override
    protected void due() {
      calls
          .call(lease.name(), "release", how, lease.id())
          .whenComplete(
              (answer, error) -> {
                // After that the server has dropped it by itself.
                if (error != null && end - timers.now() > 0) {
                  timers.at(timers.now() + RELEASE_RETRY, this);
                }
              });
    }
  }

  /** All that is held ends as released; what the server has to be told of. */
  List<HeldLease> close() {
    List<HeldLease> all = new ArrayList<>();
    for (HeldLease lease : held.values()) {
      if (remove(lease) && lease.end(HeldLease.State.RELEASED)) {
        all.add(lease);
      }
    }
    return all;
  }

  /** How long an answer is waited for where the client has a timer for each command: as long as that takes. */
  static long waitedFor(long timeout, boolean timed) {
    return timed ? Terms.NEVER : timeout;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Renews what this process holds and waits for, before its window is over: one call for each name, and for each few hundred of it. */
@SuppressWarnings("NullAway.Init") // told once whom it serves, before there is anything to renew
final class Beats {
  /** How many are renewed in one call. */
  private static final int BATCH = 500;

  private static final int PER_WINDOW = 3;
  private static final long RETRY = 1_000_000_000L;

  /** Long enough for a server that goes on to do first what it has been sent, and much shorter than it waits to hear of a grant. */
  private static final long SOON = 100 * Times.MILLI;

  private final Calls calls;
  private final Timers timers;
  private final Alarm all = new Alarm(this::beatAll);
  private final Alarm first = new Alarm(this::beatFirst);
  private Requests requests;
  private Holdings holdings;

  Beats(Calls calls, Timers timers) {
    this.calls = calls;
    this.timers = timers;
  }

  void serve(Requests theseRequests, Holdings theseHoldings) {
    requests = theseRequests;
    holdings = theseHoldings;
  }

  /** Something with such a window, in nanoseconds, is to be renewed. */
  void keep(long window) {
    all.in(window / PER_WINDOW);
  }

  /** Something is held that the server keeps for so long only, until it hears of it for the first time. */
  void keepFirst(long window) {
    first.in(window / PER_WINDOW);
  }

  /** Renews everything now: a connection was lost. */
  void now() {
    all.in(0);
  }

  /** Renews everything soon: an answer was missed, in which some of those who wait may have been told that they have what they wait for. */
  void soon() {
    all.in(SOON);
  }

  /**
   * Renews it now: somebody else has put its end off, which the answer tells. If the server does not know it any more, that somebody has released it
   * since, and the message that says so is on its way; to take it for lost would name a wrong reason.
   */
  void renew(HeldLease lease) {
    send(lease.name(), List.of(new Renewal(lease, false, lease.host().nanoTime())));
  }

  /** A call of ours has served as many who wait for {@code name} as one call does: a beat, of nothing, serves the next. */
  void serveMore(String name) {
    send(name, List.of());
  }

  /** A time at which something is done once. */
  private final class Alarm extends Deadlines.Entry {
    private final Runnable action;

    // Guarded by this.
    private boolean set;
    private long next;

    Alarm(Runnable action) {
      this.action = action;
    }

    /** In so many nanoseconds, or sooner. */
    void in(long nanos) {
      long time = timers.now() + nanos - timers.jitter(nanos);
      synchronized (this) {
        if (set && next - time <= 0) {
          return;
        }
        set = true;
        next = time;
        timers.at(time, this);
      }
    }

    @Override
    protected void due() {
      synchronized (this) {
        set = false;
      }
      action.run();
    }
  }

  private void beatAll() {
    List<HeldLease> leases = new ArrayList<>(holdings.all());
    requests.addWaiting(leases);
    leases.stream().mapToLong(lease -> lease.terms().window()).min().ifPresent(this::keep);
    beat(leases);
  }

  /** Those that would be over soon: what was granted a moment ago to one who waited, and still is held. */
  private void beatFirst() {
    List<HeldLease> leases = new ArrayList<>();
    for (HeldLease lease : holdings.all()) {
      if (lease.state() == HeldLease.State.HELD && lease.checkAt() - lease.host().nanoTime() < Times.CLAIM) {
        leases.add(lease);
      }
    }
    beat(leases);
  }

  private void beat(Collection<HeldLease> leases) {
    Map<String, List<HeldLease>> names = new HashMap<>();
    leases.forEach(lease -> names.computeIfAbsent(lease.name(), name -> new ArrayList<>()).add(lease));
    names.forEach(
        (name, some) -> {
          for (int from = 0; from < some.size(); from += BATCH) {
            beat(name, some.subList(from, Math.min(from + BATCH, some.size())));
          }
        });
  }

  private void beat(String name, List<HeldLease> leases) {
    List<Renewal> renewals = new ArrayList<>(leases.size());
    for (HeldLease lease : leases) {
      renewals.add(new Renewal(lease, lease.state() == HeldLease.State.HELD, lease.host().nanoTime()));
    }
    send(name, renewals);
  }

  private void send(String name, List<Renewal> renewals) {
    String[] arguments = new String[2 * renewals.size()];
    for (int i = 0; i < renewals.size(); i++) {
      HeldLease lease = renewals.get(i).lease();
      arguments[2 * i] = lease.id();
      arguments[2 * i + 1] = Long.toString(Times.millis(lease.terms().window()));
    }
    calls
        .beat(name, arguments)
        .whenComplete(
            (answers, error) -> {
              if (error != null) {
                all.in(RETRY);
                return;
              }
              for (int i = 0; i < renewals.size(); i++) {
                answered(renewals.get(i), (Long) answers.get(i));
              }
            });
  }

  /** One of a beat: what is renewed, whether the server has to know it, since it was held when that was sent, and when it was. */
  private record Renewal(HeldLease lease, boolean held, long sent) {}

  /** What a beat has found; see the script. */
  private void answered(Renewal renewal, long answer) {
    HeldLease lease = renewal.lease();
    LeaseRequest request = requests.find(lease.id());
    if (answer == -2) {
      if (request != null) {
        requests.askAgain(request); // forgotten: it takes its place at the end
      } else if (renewal.held()) {
        holdings.forgotten(lease);
      } // else it was granted after the beat had been there, or released: that says nothing about the grant
    } else if (answer == -4) {
      if (request != null) {
        requests.askAgain(request); // nobody here has it: it is asked for anew
      } else {
        holdings.lost(lease, HeldLease.State.REVOKED);
      }
    } else if (answer != -3) {
      if (request != null) {
        requests.claim(request); // the message was lost
      } else {
        holdings.renewed(lease, renewal.sent(), answer);
      }
    }
  }
}

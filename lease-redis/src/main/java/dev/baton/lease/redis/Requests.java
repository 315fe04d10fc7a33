// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;
import static dev.baton.lease.redis.Times.MILLI;

import dev.baton.host.Callbacks;
import dev.baton.host.Held;
import dev.baton.host.Host;
import dev.baton.lease.LimitMismatchException;
import dev.baton.lease.OnMismatch;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseRequest;
import dev.baton.lease.spi.Terms;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for by this process and not decided: sent, repeated where an answer was lost, found where a message was. The server knows each by
 * its id, so all of it may be said twice.
 */
final class Requests {
  private static final int SHORTEST_LOOK_MILLIS = 2_000;
  private static final int LONGEST_LOOK_MILLIS = 5_000;
  private static final long LATEST_AFTER_EXPIRY = 20 * MILLI;
  private static final long RETRY = 100 * MILLI;

  private final Host host;
  private final Calls calls;
  private final Timers timers;
  private final Beats beats;
  private final Holdings holdings;
  private final WhenUnavailable whenUnavailable;

  /** What is not decided, by id. */
  private final ConcurrentHashMap<String, LeaseRequest> pending = new ConcurrentHashMap<>();

  /** The line of each name that somebody holds or asks for here; there may be another one that is just ending. */
  private final ConcurrentHashMap<String, Line> lineOf = new ConcurrentHashMap<>();

  /** The lines in which somebody stands. */
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();

  private volatile @Nullable RuntimeException closed;

  Requests(Host host, Calls calls, Timers timers, Beats beats, Holdings holdings, WhenUnavailable whenUnavailable) {
    this.host = host;
    this.calls = calls;
    this.timers = timers;
    this.beats = beats;
    this.holdings = holdings;
    this.whenUnavailable = whenUnavailable;
  }

  // ---- asking ----

  void begin(LeaseRequest request) {
    HeldLease lease = request.lease();
    request.waitsFor(lineOf.computeIfAbsent(lease.name(), name -> new Line(this, timers, name)));
    pending.put(lease.id(), request);
    RuntimeException why = closed;
    if (why != null) {
      fail(request, why);
    } else {
      calls.send(new Ask(request));
    }
  }

  /** Asks for it again, unless it is decided: it has its place, or its grant, or else it takes the last place. */
  void askAgain(LeaseRequest request) {
    if (isPending(request)) {
      calls.sendSoon(new Ask(request));
    }
  }

  /** Whether it is not decided. */
  private boolean isPending(LeaseRequest request) {
    return pending.get(request.lease().id()) == request;
  }

  /** The request for what has this id, unless that is decided. */
  @Nullable LeaseRequest find(String id) {
    return pending.get(id);
  }

  /** Asks for what was granted while nobody asked. */
  void claim(LeaseRequest request) {
    calls.sendSoon(new Ask(request, "claim", request.lease().id(), window(request.lease())));
  }

  private static String window(HeldLease lease) {
    return Long.toString(Times.millis(lease.terms().window()));
  }

  /** A request on its way to the server and back. */
  private final class Ask extends Call {
    private final LeaseRequest request;
    private final long sent;

    Ask(LeaseRequest request) {
      this(request, "acquire", arguments(request));
    }

    Ask(LeaseRequest request, String operation, String... arguments) {
      super(request.lease().name(), operation, arguments);
      this.request = request;
      this.sent = request.host().nanoTime();
    }

    @Override
    void answered(Object answer) {
      if (answer instanceof String grant) {
        granted(request, sent, Grant.of(request.lease(), grant), request.lease().terms().window());
      } else if (answer instanceof Long untilNext) {
        waits(request, untilNext);
      } else {
        Requests.this.answered(request, sent, (List<?>) answer);
      }
    }

    @Override
    void failed(Throwable error) {
      Requests.this.failed(request, error);
    }
  }

  /** What the script wants to know; what mostly is the same is left out. */
  private static String[] arguments(LeaseRequest request) {
    HeldLease lease = request.lease();
    Terms terms = lease.terms();
    String id = lease.id();
    String limit = Integer.toString(terms.limit());
    String window = window(lease);
    String ttl = Long.toString(Times.asked(terms.ttl()));
    String mode = request.mayWait() ? "wait" : "try";
    boolean one = lease.permits() == 1 && terms.onMismatch() == OnMismatch.ERROR && keptLong(terms);
    if (one && request.mayWait() && terms.label().isEmpty()) {
      return new String[] {id, limit, window, ttl};
    }
    if (one) {
      return new String[] {id, limit, window, ttl, mode, terms.label()};
    }
    return new String[] {
      id,
      limit,
      window,
      ttl,
      mode,
      terms.label(),
      Integer.toString(lease.permits()),
      terms.onMismatch().name(),
      Long.toString(Times.millis(terms.idleTtl()))
    };
  }

  /** Whether nothing of it asks for more than that the name is kept as long as every name is. */
  private static boolean keptLong(Terms terms) {
    return Times.millis(terms.idleTtl()) <= Times.DAY_MILLIS
        && 3 * Times.asked(terms.ttl()) <= Times.DAY_MILLIS
        && 3 * Times.millis(terms.window()) <= Times.DAY_MILLIS;
  }

  // ---- answers ----

  private void answered(LeaseRequest request, long sent, List<?> answer) {
    HeldLease lease = request.lease();
    switch ((String) answer.get(0)) {
      case "G" -> granted(request, sent, Grant.of(answer), lease.terms().window());
      case "N" -> {
        if (forget(request) && request.claim()) {
          request.decide(REFUSED);
          wake(request);
        }
      }
      case "M" ->
          fail(
              request,
              new LimitMismatchException(
                  Terms.shown(lease.name()), lease.terms().limit(), ((Long) answer.get(1)).intValue()));
      case "T" -> fail(request, tooMany(lease, " the limit is " + answer.get(1)));
      default -> askAgain(request); // the claim came too late: it takes its place at the end
    }
  }

  /**
   * What a call of ours has granted to requests of ours that waited; nobody else is told. It was granted after that call was sent, so it is valid
   * from then on as if it had been asked for by it; but the server keeps it for a moment only until it hears of it.
   */
  void told(long sent, List<?> grants) {
    for (Object each : grants) {
      String text = (String) each;
      int end = text.indexOf(' ');
      LeaseRequest request = pending.get(text.substring(0, end));
      if (request == null) {
        continue; // whoever gave it up says so to the server
      }
      if (request.host() == host && timers.now() - sent < Times.CLAIM / 2) {
        Grant grant = Grant.of(request.lease(), text.substring(end + 1));
        granted(request, sent, grant, Math.min(request.lease().terms().window(), Times.CLAIM));
      } else {
        claim(request); // another clock, or little of that moment is left
      }
    }
  }

  private void granted(LeaseRequest request, long sent, Grant grant, long window) {
    if (!forget(request, true)) {
      releaseIfOver(request);
      return;
    }
    HeldLease lease = request.lease();
    // Known before anybody can release it.
    holdings.put(lease);
    if (!request.claim()) {
      // Whoever gave it up will say so to the server.
      holdings.remove(lease);
      ((Line) request.blocker()).left();
      return;
    }
    lease.granted(request.blocker(), grant.slots(), grant.token(), grant.limit(), sent, grant.ttl(), Times.kept(window));
    holdings.begin(lease, window);
    request.decide(GRANTED);
    wake(request);
    if (closed != null) {
      holdings.endBehind(lease);
    }
  }

  private void waits(LeaseRequest request, long untilNext) {
    long look = look();
    if (untilNext >= 0) {
      look = Math.min(look, Math.min(untilNext, LONGEST_LOOK_MILLIS) * MILLI + MILLI + timers.random(LATEST_AFTER_EXPIRY));
    }
    Line line = (Line) request.blocker();
    line.add(request, look);
    beats.keep(request.lease().terms().window());
    if (!isPending(request)) {
      line.remove(request, false);
      releaseIfOver(request);
    }
  }

  /** In how many nanoseconds it is looked at the latest whether a message was lost. */
  long look() {
    return (SHORTEST_LOOK_MILLIS + timers.random(LONGEST_LOOK_MILLIS - SHORTEST_LOOK_MILLIS)) * MILLI;
  }

  private static IllegalArgumentException tooMany(HeldLease lease, String why) {
    return new IllegalArgumentException(
        lease.permits() + " permits of " + Terms.shown(lease.name()) + " can never be granted:" + why
            + ". Ask for at most that, or resize.");
  }

  /** An answer came too late: if it was given up, or has been had and released already, the server must not keep it for anybody. */
  private void releaseIfOver(LeaseRequest request) {
    HeldLease.State state = request.lease().state();
    if (request.withdrawn || (state != HeldLease.State.NEW && state != HeldLease.State.HELD)) {
      calls.inOrder(() -> holdings.releaseBehind(request.lease(), "cancelled"));
    }
  }

  private boolean forget(LeaseRequest request) {
    return forget(request, false);
  }

  /** It is not asked for any more; {@code holds}: but held. False: it was not asked for before, and nothing changes. */
  private boolean forget(LeaseRequest request, boolean holds) {
    if (!pending.remove(request.lease().id(), request)) {
      return false;
    }
    ((Line) request.blocker()).remove(request, holds);
    return true;
  }

  private void failed(LeaseRequest request, Throwable error) {
    boolean stands = ((Line) request.blocker()).contains(request);
    if (request.mayWait() && closed == null && (stands || whenUnavailable == WhenUnavailable.RETRY || Errors.passes(error))) {
      // It keeps its place for a window. Asked again, it is found there.
      timers.at(timers.now() + RETRY + timers.jitter(RETRY), new Again(request));
      return;
    }
    fail(request, Errors.unavailable("grant a lease of " + Terms.shown(request.lease().name()), error));
    if (!Errors.refused(error)) {
      // It may have been granted all the same.
      calls.inOrder(() -> holdings.releaseBehind(request.lease(), "cancelled"));
    }
  }

  /** A request that is tried once more. */
  private final class Again extends Deadlines.Entry {
    private final LeaseRequest request;

    Again(LeaseRequest request) {
      this.request = request;
    }

    @Override
    protected void due() {
      askAgain(request);
    }
  }

  private void fail(LeaseRequest request, RuntimeException why) {
    holdings.forgetEarly(request.lease());
    if (forget(request) && request.claim()) {
      request.fail(why);
      wake(request);
    }
  }

  /** Never runs code of the user's: this is a thread of the connection, or has a lock. */
  private static void wake(LeaseRequest request) {
    if (request.runsCallbacks()) {
      Callbacks.start(request.host(), request::wake);
    } else {
      request.wake();
    }
  }

  // ---- messages ----

  void message(String kind, String id) {
    LeaseRequest request = pending.get(id);
    if (request != null && kind.equals("GRANTED")) {
      claim(request);
    } else if (request != null && kind.equals("REFUSED")) {
      fail(request, tooMany(request.lease(), " the limit was lowered"));
    }
  }

  // ---- giving up ----

  void withdraw(LeaseRequest request, boolean timedOut) {
    if (!request.mayWait()) {
      return; // the server has counted it
    }
    request.withdrawn = true;
    forget(request);
    holdings.forgetEarly(request.lease());
    holdings.releaseBehind(request.lease(), timedOut ? "timedout" : "cancelled");
  }

  /** Refuses all, and whoever comes, for this reason. The leases that nobody will have. */
  List<HeldLease> close(RuntimeException why) {
    closed = why;
    List<LeaseRequest> all = List.copyOf(pending.values());
    all.forEach(request -> fail(request, why));
    return all.stream().map(LeaseRequest::lease).toList();
  }

  // ---- lines ----

  /** Somebody stands in {@code line} now. */
  void begins(Line line) {
    lines.add(line);
  }

  /** Nobody stands in {@code line} any more. */
  void ends(Line line) {
    lines.remove(line);
  }

  /** Nobody holds what {@code line} is for, or stands in it. */
  void forget(Line line, String name) {
    lineOf.remove(name, line);
  }

  /** Who of this process has what is waited for in {@code line}. */
  List<Held.Holder> heldOf(Line line) {
    return holdings.all().stream()
        .filter(lease -> lease.primitive() == line && lease.state() == HeldLease.State.HELD)
        .map(HeldLease::holder)
        .toList();
  }

  /** Those who stand in a line add what they wait for. */
  void addWaiting(Collection<HeldLease> all) {
    lines.forEach(line -> line.all().forEach(request -> all.add(request.lease())));
  }

  /** After a connection was lost: what was said meanwhile was not heard. */
  void lookAround() {
    lines.forEach(line -> line.lookIn(0));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static dev.baton.host.Waiter.GRANTED;
import static dev.baton.host.Waiter.REFUSED;

import dev.baton.host.Callbacks;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.LimitMismatchException;
import dev.baton.lease.OnMismatch;
import dev.baton.lease.ReleaseResult;
import dev.baton.lease.spi.Deadlines;
import dev.baton.lease.spi.HeldLease;
import dev.baton.lease.spi.LeaseLog;
import dev.baton.lease.spi.LeaseRequest;
import dev.baton.lease.spi.LeaseStore;
import dev.baton.lease.spi.NameView;
import dev.baton.lease.spi.Terms;
import dev.baton.sync.ClosedException;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Leases on Redis. The server decides; what is here sends requests, keeps what was granted alive, and knows when that can be relied upon no
 * longer. Messages are hints only: a grant is stored before anybody is told of it, and is found by the next look as well.
 */
final class RedisStore implements LeaseStore {
  private static final long MILLI = 1_000_000;

  /** What is taken off a window here, so that it ends here before it does there: clocks do not run equally fast. */
  private static final long DRIFT = 100;

  private static final long MARGIN = 5 * MILLI;
  private static final int SHORTEST_LOOK_MILLIS = 2_000;
  private static final int LONGEST_LOOK_MILLIS = 5_000;
  private static final long RETRY = 100 * MILLI;
  private static final long RELEASE_RETRY = 500 * MILLI;

  /** A day: so long a name is kept whatever was said. */
  private static final long KEPT_ANYWAY_MILLIS = 86_400_000;

  /** As long as Redis can count without losing precision on the way: some centuries. */
  private static final long LONGEST_MILLIS = 10_000_000_000_000L;

  private final Host host = Hosts.current();
  private final Keys keys;
  private final Script script;
  private final Link link;
  private final long timeout;

  /** Whether the client ends by itself what is not answered in time. */
  private final boolean timed;

  private final WhenUnavailable whenUnavailable;
  private final Deadlines deadlines = new Deadlines();
  private final Beats beats = new Beats(this);

  /** What is asked for and not decided, by id. */
  private final ConcurrentHashMap<String, LeaseRequest> pending = new ConcurrentHashMap<>();

  /** What is over before it was known to be granted, by id. */
  private final ConcurrentHashMap<String, HeldLease.State> early = new ConcurrentHashMap<>();

  /** What is being taken away from others, by id: complete when it is gone. */
  private final ConcurrentHashMap<String, CompletableFuture<Boolean>> revocations = new ConcurrentHashMap<>();

  /** What is held here, by id. */
  private final ConcurrentHashMap<String, HeldLease> held = new ConcurrentHashMap<>();

  /** The line of each name that somebody asks for here; there may be another one that is just ending. */
  private final ConcurrentHashMap<String, Line> lineOf = new ConcurrentHashMap<>();

  /** The lines in which somebody stands. */
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();

  private volatile boolean closed;

  RedisStore(
      Dialer dialer, boolean ours, String namespace, Duration timeout, WhenUnavailable whenUnavailable) {
    String process = processId(host);
    this.keys = new Keys(namespace);
    this.timed = dialer.client().getOptions().getTimeoutOptions().isTimeoutCommands();
    this.script = new Script(keys, process, timeout, timed);
    this.timeout = timeout.toNanos();
    this.whenUnavailable = whenUnavailable;
    this.link = new Link(dialer, ours, keys.channels() + process, this::told);
    link.whenReconnected(() -> Callbacks.start(host, this::lookAround));
  }

  private static String processId(Host host) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      text.append(String.format("%08x", host.nextInt(Integer.MAX_VALUE)));
    }
    return text.toString();
  }

  Link link() {
    return link;
  }

  @Override
  public String kind() {
    return "redis";
  }

  // ---- for the timers ----

  long now() {
    return host.nanoTime();
  }

  /** Up to a tenth of {@code nanos}, at random: processes that began together shall not all ask at the same time. */
  long jitter(long nanos) {
    return nanos < 10 ? 0 : host.nextInt((int) Math.min(nanos / 10 + 1, Integer.MAX_VALUE));
  }

  void schedule(Deadlines.Entry entry, long time) {
    deadlines.add(host, entry, time);
  }

  /** Somebody stands in {@code line} now. */
  void begins(Line line) {
    lines.add(line);
  }

  /** Nobody stands in {@code line}, of this name, any more. */
  void ends(Line line, String name) {
    lines.remove(line);
    lineOf.remove(name, line);
  }

  /** Everything of this process that the server must hear of. */
  Collection<HeldLease> local() {
    List<HeldLease> all = new ArrayList<>(held.values());
    lines.forEach(line -> line.all().forEach(request -> all.add(request.lease())));
    return all;
  }

  CompletableFuture<List<Object>> beat(String name, String... arguments) {
    return script.call(link.beats, name, "beat", arguments);
  }

  private CompletableFuture<List<Object>> call(String name, String operation, String... arguments) {
    return script.call(link.requests, name, operation, arguments);
  }

  static long millis(long nanos) {
    return nanos == Terms.NEVER ? 0 : Math.min(LONGEST_MILLIS, (nanos + MILLI - 1) / MILLI);
  }

  /** How long, from the moment of asking, it is certain that the server keeps something. */
  private static long kept(long window) {
    return window - window / DRIFT - MARGIN;
  }

  // ---- asking ----

  @Override
  public void acquire(LeaseRequest request) {
    HeldLease lease = request.lease();
    request.waitsFor(lineOf.computeIfAbsent(lease.name(), name -> new Line(this, name)));
    pending.put(lease.id(), request);
    if (closed) {
      fail(request, closedError());
      return;
    }
    ask(request);
  }

  /** Asks for it, perhaps again: the server knows it by its id. */
  void ask(LeaseRequest request) {
    HeldLease lease = request.lease();
    if (pending.get(lease.id()) != request) {
      return;
    }
    Terms terms = lease.terms();
    long sent = lease.host().nanoTime();
    call(terms.name(), "acquire", asked(request))
        .whenComplete(
            (answer, error) -> {
              if (error != null) {
                failed(request, error);
              } else {
                answered(request, sent, answer);
              }
            });
  }

  /** What the script wants to know; what mostly is the same is left out. */
  private static String[] asked(LeaseRequest request) {
    HeldLease lease = request.lease();
    Terms terms = lease.terms();
    String id = lease.id();
    String limit = Integer.toString(terms.limit());
    String window = Long.toString(millis(terms.window()));
    String ttl = Long.toString(millis(terms.ttl()));
    boolean usual =
        lease.permits() == 1
            && request.mayWait()
            && terms.onMismatch() == OnMismatch.ERROR
            && millis(terms.idleTtl()) <= KEPT_ANYWAY_MILLIS
            && terms.label().isEmpty();
    if (usual) {
      return new String[] {id, limit, window, ttl};
    }
    return new String[] {
      id,
      limit,
      window,
      ttl,
      Integer.toString(lease.permits()),
      request.mayWait() ? "wait" : "try",
      terms.onMismatch().name(),
      Long.toString(millis(terms.idleTtl())),
      terms.label()
    };
  }

  private void answered(LeaseRequest request, long sent, List<Object> answer) {
    HeldLease lease = request.lease();
    switch ((String) answer.get(0)) {
      case "G" -> granted(request, sent, answer);
      case "W" -> waits(request, (Long) answer.get(1));
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
      default -> inOrder(() -> ask(request)); // the claim came too late: it takes its place at the end
    }
  }

  private static IllegalArgumentException tooMany(HeldLease lease, String why) {
    return new IllegalArgumentException(
        lease.permits() + " permits of " + Terms.shown(lease.name()) + " can never be granted:" + why
            + ". Ask for at most that, or resize.");
  }

  private void granted(LeaseRequest request, long sent, List<Object> answer) {
    HeldLease lease = request.lease();
    if (!forget(request)) {
      releaseIfOver(request);
      return;
    }
    // Known before anybody can release it.
    held.put(lease.id(), lease);
    if (!request.claim()) {
      // Whoever gave it up will say so to the server.
      held.remove(lease.id());
      return;
    }
    long remaining = Long.parseLong((String) answer.get(3));
    lease.granted(
        request.blocker(),
        slots((String) answer.get(2)),
        Long.parseLong((String) answer.get(1)),
        ((Long) answer.get(4)).intValue(),
        sent,
        remaining < 0 ? Terms.NEVER : remaining * MILLI,
        kept(lease.terms().window()));
    deadlines.add(lease.host(), lease, lease.checkAt());
    beats.keep(lease.terms().window());
    HeldLease.State gone = early.remove(lease.id());
    if (gone != null) {
      lost(lease, gone);
    }
    request.decide(GRANTED);
    wake(request);
    if (closed && lease.end(HeldLease.State.RELEASED)) {
      held.remove(lease.id(), lease);
      inOrder(() -> releaseBehind(lease, "released"));
    }
  }

  static int[] slots(String text) {
    return Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  private void waits(LeaseRequest request, long untilNext) {
    long look = (SHORTEST_LOOK_MILLIS + host.nextInt(LONGEST_LOOK_MILLIS - SHORTEST_LOOK_MILLIS)) * MILLI;
    if (untilNext >= 0) {
      look = Math.min(look, untilNext * MILLI + MILLI + host.nextInt((int) (20 * MILLI)));
    }
    Line line = (Line) request.blocker();
    line.add(request, look);
    beats.keep(request.lease().terms().window());
    if (!pending.containsKey(request.lease().id())) {
      line.remove(request);
      releaseIfOver(request);
    }
  }

  /** An answer came too late: if it was given up, or has been had and released already, the server must not keep it for anybody. */
  private void releaseIfOver(LeaseRequest request) {
    HeldLease.State state = request.lease().state();
    if (request.withdrawn || (state != HeldLease.State.NEW && state != HeldLease.State.HELD)) {
      inOrder(() -> releaseBehind(request.lease(), "cancelled"));
    }
  }

  /** It is not asked for any more. False: nor was it before. */
  private boolean forget(LeaseRequest request) {
    if (!pending.remove(request.lease().id(), request)) {
      return false;
    }
    ((Line) request.blocker()).remove(request);
    return true;
  }

  private void fail(LeaseRequest request, RuntimeException why) {
    early.remove(request.lease().id());
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

  private void failed(LeaseRequest request, Throwable error) {
    boolean stands = ((Line) request.blocker()).all().contains(request);
    if (request.mayWait() && !closed && (stands || whenUnavailable == WhenUnavailable.RETRY || Errors.passes(error))) {
      // It keeps its place for a window. Asked again, it is found there.
      deadlines.add(host, new Again(request), now() + RETRY + jitter(RETRY));
      return;
    }
    fail(request, Errors.unavailable("grant a lease of " + Terms.shown(request.lease().name()), error));
    if (!Errors.refused(error)) {
      // It may have been granted all the same.
      inOrder(() -> releaseBehind(request.lease(), "cancelled"));
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
      ask(request);
    }
  }

  @Override
  public void withdraw(LeaseRequest request, boolean timedOut) {
    if (!request.mayWait()) {
      return; // the server has counted it
    }
    request.withdrawn = true;
    forget(request);
    early.remove(request.lease().id());
    releaseBehind(request.lease(), timedOut ? "timedout" : "cancelled");
  }

  // ---- what the server says by itself ----

  private void told(String message) {
    int end = message.indexOf('\n');
    String kind = message.substring(0, Math.max(end, 0));
    String id = message.substring(end + 1);
    LeaseRequest request = pending.get(id);
    switch (kind) {
      case "GRANTED" -> {
        if (request != null) {
          claim(request); // at once: it does not matter what that overtakes
        }
      }
      case "REFUSED" -> {
        if (request != null) {
          fail(request, tooMany(request.lease(), " the limit was lowered"));
        }
      }
      case "LOST" -> gone(id, HeldLease.State.REVOKED);
      case "GONE" -> gone(id, HeldLease.State.RELEASED);
      case "TAKEN" -> {
        CompletableFuture<Boolean> revocation = revocations.get(id);
        if (revocation != null) {
          revocation.complete(true);
        }
      }
      default -> {
        // of a later version
      }
    }
  }

  /**
   * Sends something in answer to something that was received. Not from the thread of a connection itself: what that sends overtakes what
   * others have sent before.
   */
  private void inOrder(Runnable sending) {
    Callbacks.start(host, sending);
  }

  private void claim(LeaseRequest request) {
    HeldLease lease = request.lease();
    long sent = lease.host().nanoTime();
    call(lease.name(), "claim", lease.id(), Long.toString(millis(lease.terms().window())))
        .whenComplete(
            (answer, error) -> {
              if (error == null) {
                answered(request, sent, answer);
              } else {
                failed(request, error);
              }
            });
  }

  /** A lease was taken away or released elsewhere; perhaps before the answer that grants it is here. */
  private void gone(String id, HeldLease.State how) {
    if (pending.containsKey(id)) {
      early.put(id, how);
    }
    HeldLease lease = held.get(id);
    if (lease != null && lease.state() != HeldLease.State.NEW) {
      early.remove(id);
      lost(lease, how);
    }
  }

  private void lost(@Nullable HeldLease lease, HeldLease.State how) {
    // At once, though this is a thread of the connection: somebody else may have it already.
    if (lease != null && held.remove(lease.id(), lease)) {
      lease.end(how);
      deadlines.end(lease);
      if (how == HeldLease.State.REVOKED) {
        // The server keeps it until it hears that its holder knows.
        inOrder(() -> releaseBehind(lease, "released"));
      }
    }
  }

  /** What a beat has found; see the script. */
  void renewed(HeldLease lease, long sent, long answer) {
    LeaseRequest request = pending.get(lease.id());
    if (answer == -2) {
      if (request != null) {
        inOrder(() -> ask(request)); // forgotten: it takes its place at the end
      } else if (lease.state() != HeldLease.State.NEW && lease.grantedAt() - sent <= 0) { // else it was granted after that was asked
        lost(lease, lease.checkAt() - lease.host().nanoTime() <= 0 ? HeldLease.State.EXPIRED : HeldLease.State.UNREACHABLE);
      }
    } else if (answer == -4) {
      if (request != null) {
        inOrder(() -> ask(request)); // nobody here has it: it is asked for anew
      } else {
        lost(lease, HeldLease.State.REVOKED);
      }
    } else if (answer != -3) {
      if (request != null) {
        inOrder(() -> claim(request)); // the message was lost
      } else {
        lease.keptUntil(sent + kept(lease.terms().window()));
        if (answer >= 0) {
          lease.prolong(sent, answer * MILLI);
        }
      }
    }
  }

  /** After a connection was lost: what was said meanwhile was not heard. */
  private void lookAround() {
    if (!closed) {
      beats.beatIn(0);
      lines.forEach(line -> line.lookIn(0));
    }
  }

  // ---- giving back ----

  @Override
  public void giveBack(HeldLease lease) {
    held.remove(lease.id(), lease);
    deadlines.end(lease);
    release(lease);
  }

  private @Nullable ReleaseResult release(HeldLease lease) {
    // Without a timer of our own where the client has one for each command.
    List<Object> answer = Reply.orNull(call(lease.name(), "release", "released", lease.id()), timed ? Terms.NEVER : timeout);
    if (answer == null) {
      deadlines.add(host, new LateRelease(lease, "released"), now() + RELEASE_RETRY);
      return null;
    }
    return result(answer);
  }

  private static ReleaseResult result(List<Object> answer) {
    return switch ((String) answer.get(0)) {
      case "RELEASED" -> ReleaseResult.RELEASED;
      case "EXPIRED" -> ReleaseResult.EXPIRED;
      default -> ReleaseResult.UNKNOWN;
    };
  }

  /** Releases it or has it leave the line, without waiting for that, and again until it is over anyway. */
  private void releaseBehind(HeldLease lease, String how) {
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
      this.end = now() + lease.terms().window();
    }

    @Override
    protected void due() {
      call(lease.name(), "release", how, lease.id())
          .whenComplete(
              (answer, error) -> {
                // After that the server has dropped it by itself.
                if (error != null && end - now() > 0) {
                  deadlines.add(host, this, now() + RELEASE_RETRY);
                }
              });
    }
  }

  @Override
  public void expire(HeldLease lease) {
    if (lease.endIfOver()) {
      held.remove(lease.id(), lease);
      if (lease.state() == HeldLease.State.EXPIRED) {
        // If it does not hear of that, the server finds out by itself a moment later.
        call(lease.name(), "expire", lease.id());
      }
    } else if (lease.state() == HeldLease.State.HELD) {
      deadlines.add(lease.host(), lease, lease.checkAt());
    }
  }

  @Override
  public ReleaseResult release(String name, String id) {
    if (closed) {
      return ReleaseResult.UNKNOWN;
    }
    HeldLease lease = held.get(id);
    if (lease != null && lease.name().equals(name) && lease.end(HeldLease.State.RELEASED)) {
      held.remove(id, lease);
      deadlines.end(lease);
      ReleaseResult result = release(lease);
      LeaseLog.released(name, kind());
      return result == null ? ReleaseResult.RELEASED : result;
    }
    ReleaseResult result = result(Reply.of(call(name, "release", "bare", id), timeout, "release a lease"));
    if (result == ReleaseResult.RELEASED) {
      LeaseLog.released(name, kind());
    }
    return result;
  }

  @Override
  public boolean extend(String name, String id, long nanos) {
    HeldLease lease = held.get(id);
    Host clock = lease == null ? host : lease.host();
    long sent = clock.nanoTime();
    long millis = nanos == Terms.NEVER ? LONGEST_MILLIS : millis(nanos);
    List<Object> answer = Reply.of(call(name, "extend", id, Long.toString(millis)), timeout, "extend a lease");
    if (!answer.get(0).equals("G")) {
      return false;
    }
    return lease == null || lease.prolong(sent, Long.parseLong((String) answer.get(1)) * MILLI);
  }

  @Override
  public boolean revoke(String name, String id) {
    HeldLease lease = held.get(id);
    if (lease != null && lease.name().equals(name) && lease.end(HeldLease.State.REVOKED)) {
      held.remove(id, lease);
      deadlines.end(lease);
      Reply.of(call(name, "revoke", id, "told"), timeout, "revoke a lease");
      return true;
    }
    CompletableFuture<Boolean> gone = revocations.computeIfAbsent(id, key -> new CompletableFuture<>());
    try {
      if (!Reply.of(call(name, "revoke", id, "tell"), timeout, "revoke a lease").get(0).equals("OK")) {
        return false;
      }
      // A holder that can be reached gives it back at once; another one keeps it until its window is over.
      Reply.orNull(gone, timeout);
      return true;
    } finally {
      revocations.remove(id, gone);
    }
  }

  @Override
  public void resize(Terms terms, int limit) {
    if (closed) {
      throw closedError();
    }
    Reply.of(
        call(
            terms.name(),
            "resize",
            Integer.toString(limit),
            Integer.toString(terms.limit()),
            Long.toString(millis(terms.idleTtl()))),
        timeout,
        "resize " + Terms.shown(terms.name()));
  }

  // ---- looking ----

  @Override
  public boolean isFull(String name) {
    LeaseStats stats = stats(name);
    return stats != null && (stats.acquired() >= stats.limit() || stats.waiting() > 0);
  }

  @Override
  public @Nullable LeaseStats stats(String name) {
    return closed ? null : Views.stats(name, page(name, 0, 0));
  }

  @Override
  public NameView inspect(String name) {
    return closed ? NameView.EMPTY : Views.view(name, (from, size) -> page(name, from, size));
  }

  private List<Object> page(String name, int from, int size) {
    return Reply.of(
        call(name, "inspect", Integer.toString(from), Integer.toString(size)), timeout, "show " + Terms.shown(name));
  }

  @Override
  public List<String> names() {
    TreeSet<String> names = new TreeSet<>();
    ScanArgs all = ScanArgs.Builder.matches(keys.configurations()).limit(500);
    ScanCursor cursor = ScanCursor.INITIAL;
    while (!closed && !cursor.isFinished()) {
      KeyScanCursor<String> found =
          Reply.of(link.requests.scan(cursor, all).toCompletableFuture(), timeout, "list names");
      found.getKeys().forEach(key -> names.add(keys.nameOf(key)));
      cursor = found;
    }
    return List.copyOf(names);
  }

  // ---- the end ----

  private static ClosedException closedError() {
    return new ClosedException("These leases are closed: nothing can be acquired any more, and what was held has been released.");
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    Map<String, List<String>> ids = new HashMap<>();
    for (LeaseRequest request : pending.values()) {
      ids.computeIfAbsent(request.lease().name(), name -> new ArrayList<>()).add(request.lease().id());
      fail(request, closedError());
    }
    for (HeldLease lease : held.values()) {
      if (held.remove(lease.id(), lease) && lease.end(HeldLease.State.RELEASED)) {
        ids.computeIfAbsent(lease.name(), name -> new ArrayList<>()).add(lease.id());
      }
    }
    deadlines.stop();
    List<CompletableFuture<List<Object>>> releases = new ArrayList<>();
    ids.forEach(
        (name, all) -> {
          all.add(0, "released");
          releases.add(call(name, "release", all.toArray(String[]::new)));
        });
    releases.forEach(release -> Reply.orNull(release, timeout));
    // What was said before without waiting has arrived, too.
    Reply.orNull(link.requests.ping().toCompletableFuture(), timeout);
    link.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}

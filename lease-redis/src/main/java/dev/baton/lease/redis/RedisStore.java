// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;


import dev.baton.host.Callbacks;
import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.lease.LeaseStats;
import dev.baton.lease.ReleaseResult;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Leases on Redis. The server decides; what is here sends requests, keeps what was granted alive, and knows when that can be relied upon no
 * longer. Messages are hints only: a grant is stored before anybody is told of it, and is found by the next look as well.
 */
final class RedisStore implements LeaseStore {
  private final Keys keys;
  private final Link link;
  private final long timeout;
  private final Timers timers;
  private final Calls calls;
  private final Beats beats;
  private final Holdings holdings;
  private final Requests requests;
  private final Host host = Hosts.current();

  /** What is being taken away from others, by id: complete when it is gone. */
  private final ConcurrentHashMap<String, CompletableFuture<Boolean>> revocations = new ConcurrentHashMap<>();

  private volatile boolean closed;

  RedisStore(
      Dialer dialer, boolean ours, String namespace, Duration timeout, WhenUnavailable whenUnavailable) {
    String process = processId(host);
    boolean timed = dialer.client().getOptions().getTimeoutOptions().isTimeoutCommands();
    this.keys = new Keys(namespace);
    this.timeout = timeout.toNanos();
    this.link = new Link(dialer, ours, keys.channels() + process, this::told);
    Script script = new Script(keys, process, host, timed ? Long.MAX_VALUE : 2 * this.timeout, new Grants());
    this.timers = new Timers(host);
    this.calls = new Calls(host, script, link);
    this.beats = new Beats(calls, timers);
    this.holdings = new Holdings(calls, timers, beats, Holdings.waitedFor(this.timeout, timed));
    this.requests = new Requests(host, calls, timers, beats, holdings, whenUnavailable);
    beats.serve(requests, holdings);
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

  /** The server is known to be one for all names: requests may share calls. Before anything is asked for. */
  void share() {
    calls.share();
  }

  @Override
  public String kind() {
    return "redis";
  }

  // ---- what the server says by itself ----

  private void told(String message) {
    int end = message.indexOf('\n');
    String kind = message.substring(0, Math.max(end, 0));
    String id = message.substring(end + 1);
    switch (kind) {
      case "GRANTED", "REFUSED" -> requests.message(kind, id);
      case "MORE" -> beats.serveMore(keys.nameOf(id));
      case "LOST" -> holdings.gone(id, HeldLease.State.REVOKED, requests.find(id) != null);
      case "GONE" -> holdings.gone(id, HeldLease.State.RELEASED, requests.find(id) != null);
      case "EXTENDED" -> {
        HeldLease lease = holdings.find(id);
        if (lease != null) {
          beats.renew(lease);
        }
      }
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

  /** What answers tell of others than those who have asked. */
  private final class Grants implements Script.Grants {
    @Override
    public void told(long sent, List<?> grants) {
      requests.told(sent, grants);
    }

    @Override
    public void missed() {
      if (!closed) {
        beats.soon();
      }
    }
  }

  /** After a connection was lost: what was said meanwhile was not heard. */
  private void lookAround() {
    if (!closed) {
      beats.now();
      requests.lookAround();
    }
  }

  // ---- asking and giving back ----

  @Override
  public void acquire(LeaseRequest request) {
    requests.begin(request);
  }

  @Override
  public void withdraw(LeaseRequest request, boolean timedOut) {
    requests.withdraw(request, timedOut);
  }

  @Override
  public void giveBack(HeldLease lease) {
    holdings.ended(lease);
    holdings.release(lease);
  }

  @Override
  public void expire(HeldLease lease) {
    holdings.expire(lease);
  }

  @Override
  public void settle(HeldLease lease) {
    holdings.settle(lease);
  }

  @Override
  public ReleaseResult release(String name, String id) {
    if (closed) {
      return ReleaseResult.UNKNOWN;
    }
    HeldLease lease = ours(name, id);
    if (lease != null && lease.lost().isEmpty() && holdings.end(lease, HeldLease.State.RELEASED)) {
      ReleaseResult result = holdings.release(lease);
      LeaseLog.released(name, kind());
      return result == null ? ReleaseResult.RELEASED : result;
    }
    if (lease != null && lease.lost().isPresent()) {
      // Its holder has been told so, and the server is being told.
      holdings.settle(lease);
      return ReleaseResult.EXPIRED;
    }
    ReleaseResult result = Holdings.result(ask("release a lease", name, "release", "bare", id));
    if (result == ReleaseResult.RELEASED) {
      LeaseLog.released(name, kind());
    }
    return result;
  }

  /** To be asked whether it is lost: one whose time is over is, even if nobody has looked yet. */
  private @Nullable HeldLease ours(String name, String id) {
    HeldLease lease = holdings.find(id);
    return lease != null && lease.name().equals(name) ? lease : null;
  }

  /** The answer; {@code what} was wanted. */
  private List<Object> ask(String what, String name, String operation, String... arguments) {
    return Reply.of(calls.call(name, operation, arguments), timeout, what);
  }

  @Override
  public boolean extend(String name, String id, long nanos) {
    if (closed) {
      return false;
    }
    HeldLease lease = holdings.find(id);
    long sent = (lease == null ? host : lease.host()).nanoTime();
    long millis = nanos == Terms.NEVER ? Times.LONGEST_MILLIS : Times.asked(nanos);
    List<Object> answer = ask("extend a lease", name, "extend", id, Long.toString(millis));
    if (!answer.get(0).equals("G")) {
      return false;
    }
    if (lease == null || lease.prolong(sent, Times.certain((Long) answer.get(1)))) {
      return true;
    }
    if (lease.lost().isPresent()) {
      // It was over before the answer was here: the server must not keep for its new time what nobody has.
      holdings.releaseBehind(lease, "released");
    }
    return false;
  }

  @Override
  public boolean revoke(String name, String id) {
    if (closed) {
      return false;
    }
    HeldLease lease = ours(name, id);
    if (lease != null && lease.lost().isPresent()) {
      holdings.settle(lease);
      return false;
    }
    if (lease != null && holdings.end(lease, HeldLease.State.REVOKED)) {
      try {
        ask("revoke a lease", name, "revoke", id, "told");
      } finally {
        lease.tellOfLoss();
      }
      return true;
    }
    CompletableFuture<Boolean> gone = revocations.computeIfAbsent(id, key -> new CompletableFuture<>());
    try {
      if (!ask("revoke a lease", name, "revoke", id, "tell").get(0).equals("OK")) {
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
    ask(
        "resize " + Terms.shown(terms.name()),
        terms.name(),
        "resize",
        Integer.toString(limit),
        Integer.toString(terms.limit()),
        Long.toString(Times.millis(terms.idleTtl())));
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
    return ask("show " + Terms.shown(name), name, "inspect", Integer.toString(from), Integer.toString(size));
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
    List<HeldLease> over = new ArrayList<>(requests.close(closedError()));
    over.addAll(holdings.close());
    over.forEach(lease -> ids.computeIfAbsent(lease.name(), name -> new ArrayList<>(List.of("released"))).add(lease.id()));
    timers.stop();
    List<CompletableFuture<List<Object>>> releases = new ArrayList<>();
    ids.forEach((name, all) -> releases.add(calls.call(name, "release", all.toArray(String[]::new))));
    // What was said before without waiting has arrived, too.
    CompletableFuture<String> arrived = calls.arrived();
    releases.forEach(release -> Reply.orNull(release, timeout));
    Reply.orNull(arrived, timeout);
    link.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }
}

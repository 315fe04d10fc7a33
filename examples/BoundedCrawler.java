// SPDX-License-Identifier: Apache-2.0
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Semaphore;

// Visits every page of a site once, following links, with at most three connections at a time. Each page is a task of one
// scope, which ends when the last page has been read. The limit is on connections, not on tasks: a task that has to wait
// until it may fork another, while it counts against the limit itself, would wait for ever once all do.
//
//   ./baton run examples/BoundedCrawler.java

static final int CONNECTIONS = 3;

static final Map<String, List<String>> SITE = Map.of(
    "/", List.of("/docs", "/blog", "/about"),
    "/docs", List.of("/", "/docs/locks", "/docs/scopes"),
    "/docs/locks", List.of("/docs", "/docs/scopes"),
    "/docs/scopes", List.of("/docs", "/docs/locks"),
    "/blog", List.of("/", "/blog/1", "/blog/2"),
    "/blog/1", List.of("/blog", "/blog/2"),
    "/blog/2", List.of("/blog", "/docs/locks"),
    "/about", List.of("/"));

void main() throws Exception {
  var crawler = new Crawler();
  try (Scope scope = Scope.open()) {
    crawler.visit("/", scope);
    scope.join();
  }
  if (!crawler.seen.equals(SITE.keySet()) || crawler.mostOpen.get() > CONNECTIONS) {
    throw new IllegalStateException("Saw " + crawler.seen + " with " + crawler.mostOpen + " connections.");
  }
  IO.println("Read %d pages with up to %d connections.".formatted(crawler.seen.size(), crawler.mostOpen.get()));
}

static final class Crawler {
  final Semaphore connections = Semaphore.of(CONNECTIONS);
  final Set<String> seen = ConcurrentHashMap.newKeySet();
  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger mostOpen = new AtomicInteger();

  void visit(String page, Scope scope) throws InterruptedException {
    if (seen.add(page)) { // true for one of those who find the same link
      scope.fork(() -> {
        for (String link : connections.withPermit(() -> read(page))) {
          visit(link, scope);
        }
      });
    }
  }

  List<String> read(String page) throws InterruptedException {
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    Time.sleep(Duration.ofMillis(5)); // the network
    open.decrementAndGet();
    return SITE.get(page);
  }
}

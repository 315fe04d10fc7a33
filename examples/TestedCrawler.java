// SPDX-License-Identifier: Apache-2.0
import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.withPermit;

import dev.baton.effect.Effect;
import dev.baton.effect.Effects;
import dev.baton.effect.Handlers;
import dev.baton.effect.Program;
import dev.baton.effect.Recorder;
import dev.baton.effect.Recording;
import dev.baton.effect.Retry;
import dev.baton.effect.RunResult;
import dev.baton.effect.Runner;
import dev.baton.runtime.Clock;
import dev.baton.runtime.Policy;
import dev.baton.scope.Task;
import dev.baton.sync.Semaphore;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

// A crawler that says which pages it wants and not how to get them. Who answers is chosen by whoever runs it: the network (here an
// HTTP server of our own), a map of pages in virtual time, a network that fails, or a recording of what the network has once said.
// The crawler is the same all along.
//
//   ./baton run examples/TestedCrawler.java

record Fetch(String page) implements Effect<String> {}

static final Map<String, String> SITE = Map.of(
    "/", "/docs /blog",
    "/docs", "/ /docs/locks /docs/scopes",
    "/docs/locks", "/docs",
    "/docs/scopes", "/docs /docs/locks",
    "/blog", "/ /blog/1",
    "/blog/1", "/blog /docs/locks");

// ---- the program ----

/** Page by page along the links, as far as they lead: all that are one link further away at once, over so many connections. */
static Set<String> crawl(String start, int connections) {
  Semaphore permits = semaphore(connections);
  Set<String> seen = new TreeSet<>();
  Set<String> next = new TreeSet<>(Set.of(start));
  while (!next.isEmpty()) {
    List<Task<String>> tasks = new ArrayList<>();
    for (String page : next) {
      tasks.add(spawn("reader of " + page, () -> withPermit(permits, () -> perform(new Fetch(page)))));
    }
    seen.addAll(next);
    next.clear();
    for (String links : gather(tasks)) {
      next.addAll(List.of(links.split(" ")));
    }
    next.removeAll(seen);
  }
  return seen;
}

// ---- those who answer ----

/** The network: each page is fetched by a thread outside, and several are at once. */
static Handlers network(String server) {
  HttpClient client = HttpClient.newHttpClient();
  return Handlers.of(Fetch.class, fetch -> await(() ->
      client.send(HttpRequest.newBuilder(URI.create(server + fetch.page())).build(), HttpResponse.BodyHandlers.ofString()).body()));
}

/** A network of one's own: pages take 40 ms. */
static Handlers pages(AtomicInteger open, AtomicInteger mostOpen) {
  return Handlers.of(Fetch.class, fetch -> {
    mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    sleep(Duration.ofMillis(40));
    open.decrementAndGet();
    return SITE.get(fetch.page());
  });
}

/** Each page fails twice before it is there. */
static Handlers flaky() {
  Map<String, Integer> asked = new HashMap<>();
  return Handlers.of(Fetch.class, fetch -> {
    if (asked.merge(fetch.page(), 1, Integer::sum) < 3) {
      throw new IOException("no answer for " + fetch.page());
    }
    return perform(fetch); // goes to the handlers outside of this one
  });
}

// ---- the tests ----

void main() throws Exception {
  Program<Set<String>> crawler = () -> crawl("/", 3);
  Runner inVirtualTime = Runner.create().clock(Clock.virtual());

  // In memory, under many schedules: the limit holds, and each page is read once.
  for (int seed = 0; seed < 100; seed++) {
    AtomicInteger mostOpen = new AtomicInteger();
    Handlers handlers = Handlers.defaults().with(pages(new AtomicInteger(), mostOpen));
    RunResult<Set<String>> result = inVirtualTime.policy(Policy.seeded(seed)).handlers(handlers).run(crawler);
    expect(result.value().equals(SITE.keySet()) && mostOpen.get() <= 3, "schedule " + seed + ": " + result.value());
  }
  IO.println("Under a hundred schedules: every page, never more than three at a time.");

  // A network that fails, and a handler around it that tries again: the crawler notices nothing, but for the time.
  Handlers again = Retry.attempts(3).delay(Duration.ofSeconds(1)).factor(2).on(IOException.class).handling(Fetch.class);
  Handlers unreliable = Handlers.defaults().with(pages(new AtomicInteger(), new AtomicInteger())).with(flaky());
  RunResult<Set<String>> failed = inVirtualTime.handlers(unreliable).run(crawler);
  expect(failed.error().orElseThrow() instanceof IOException, "a network that fails is an error: " + failed);
  RunResult<Set<String>> patient = inVirtualTime.handlers(unreliable.with(again)).run(crawler);
  expect(patient.value().equals(SITE.keySet()), "tried again: " + patient);
  IO.println("Each page failed twice, and was read all the same.");

  // The real thing, recorded; and once more from the recording, when the server is gone.
  Recorder recorder = Recorder.create().of(Fetch.class);
  var server = com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  server.createContext("/", exchange -> {
    byte[] body = SITE.get(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  });
  server.start();
  Handlers real = Handlers.asyncDefaults()
      .with(network("http://localhost:" + server.getAddress().getPort()))
      .with(recorder.handlers());
  Set<String> fetched = Effects.runAsync(crawler, real).get().value();
  server.stop(0);
  Recording recording = recorder.recording();
  Set<String> replayed = inVirtualTime.handlers(Handlers.defaults().with(recording.replay())).run(crawler).value();
  expect(fetched.equals(SITE.keySet()) && replayed.equals(fetched), "fetched " + fetched + ", replayed " + replayed);
  IO.println("Over HTTP, and again without: " + recording.entries().size() + " pages.");
}

static void expect(boolean held, String otherwise) {
  if (!held) {
    throw new IllegalStateException(otherwise);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.micrometer;

import static dev.baton.world.RealTime.eventually;
import static dev.baton.world.RealTime.pass;
import static dev.baton.world.RealTime.start;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.channel.Broadcast;
import dev.baton.channel.Channel;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.observe.Baton;
import dev.baton.pattern.BatchQueue;
import dev.baton.pattern.BoundedExecutor;
import dev.baton.pattern.Pool;
import dev.baton.scope.Scope;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the meters show. */
@Timeout(60)
class BatonMetricsTest {
  private static final Duration SHORT = Duration.ofMillis(20);

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final BatonMetrics metrics = new BatonMetrics();

  @AfterEach
  void close() {
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  private double gauge(String meter, String name) {
    return registry.get(meter).tag("name", name).gauge().value();
  }

  private Timer wait(String name, String outcome) {
    return registry.get("baton.wait").tags("name", name, "outcome", outcome).timer();
  }

  private Timer hold(String name) {
    return registry.get("baton.hold").tag("name", name).timer();
  }

  // ---- gauges ----

  @Test
  void whatWasNamedBeforeAndAfterIsThere() throws Exception {
    Semaphore before = Semaphore.of(3).named("before");
    metrics.bindTo(registry);
    Semaphore after = Semaphore.of(5).named("after");
    before.acquire();
    var waiting = after.acquireAsync(4);
    var more = after.acquireAsync(4);
    assertThat(gauge("baton.available", "before")).isEqualTo(2);
    assertThat(gauge("baton.held", "before")).isEqualTo(1);
    assertThat(gauge("baton.waiting", "before")).isZero();
    assertThat(gauge("baton.available", "after")).isZero();
    assertThat(gauge("baton.held", "after")).isEqualTo(4);
    assertThat(gauge("baton.waiting", "after")).isEqualTo(1);
    assertThat(registry.get("baton.named").gauge().value()).isGreaterThanOrEqualTo(2);
    more.cancel(true);
    waiting.join().close();
  }

  @Test
  void everyKindHasItsMeters() throws Exception {
    metrics.bindTo(registry);
    Semaphore semaphore = Semaphore.of(1).named("it");
    Mutex mutex = new Mutex().named("it");
    RwLock rw = new RwLock().named("it");
    Channel<String> channel = Channel.<String>buffered(2).named("it");
    Broadcast<String> broadcast = Broadcast.<String>buffered(2).named("it");
    BatchQueue<String> batches = new BatchQueue<String>().named("it");
    List<String> kinds =
        List.of("semaphore", "mutex", "rwlock", "channel", "broadcast", "batchqueue", "pool", "executor", "scope", "lease");
    try (Pool<String> pool = Pool.of(1, () -> "thing").named("it");
        BoundedExecutor executor = BoundedExecutor.limit(1).build().named("it");
        Scope scope = Scope.open().named("it");
        Leases leases = Leases.inMemory()) {
      LeaseSemaphore lease = leases.semaphore("it", 2).observed();
      for (String kind : kinds) {
        for (String meter : List.of("baton.available", "baton.held", "baton.waiting")) {
          assertThat(registry.find(meter).tags("name", "it", "kind", kind).gauge()).as("%s of %s", meter, kind).isNotNull();
        }
        assertThat(registry.find("baton.wait").tags("name", "it", "kind", kind).timers()).hasSize(2);
        assertThat(registry.find("baton.hold").tags("name", "it", "kind", kind).timers())
            .hasSize(List.of("channel", "broadcast", "batchqueue").contains(kind) ? 0 : 1);
      }
      assertThat(List.of(semaphore, mutex, rw, channel, broadcast, batches, pool, executor, scope, lease)).hasSameSizeAs(kinds);
    }
  }

  @Test
  void aFigureThatDoesNotApplyIsNotANumber() {
    metrics.bindTo(registry);
    Semaphore semaphore = Semaphore.unbounded(2).named("unbounded");
    assertThat(gauge("baton.available", "unbounded")).isEqualTo(2);
    assertThat(gauge("baton.held", "unbounded")).isNaN();
    assertThat(semaphore.available()).isEqualTo(2);
  }

  @Test
  void thingsOfOneKindAndNameAreAddedUp() throws Exception {
    metrics.bindTo(registry);
    Semaphore one = Semaphore.of(3).named("shared");
    Semaphore two = Semaphore.of(4).named("shared");
    one.acquire();
    two.acquire(2);
    assertThat(gauge("baton.available", "shared")).isEqualTo(4);
    assertThat(gauge("baton.held", "shared")).isEqualTo(3);
    one.hold().close();
    two.hold().close();
    assertThat(hold("shared").count()).isEqualTo(2);
  }

  @Test
  void metersGoWithTheLastThingOfTheirName() {
    metrics.bindTo(registry);
    WeakReference<Semaphore> gone = new WeakReference<>(Semaphore.of(1).named("short-lived"));
    Semaphore stays = Semaphore.of(1).named("long-lived");
    eventually(
        () -> {
          System.gc();
          // As a scrape would do.
          registry.get("baton.named").gauge().value();
          return registry.find("baton.available").tag("name", "short-lived").gauge() == null;
        });
    assertThat(gone.refersTo(null)).isTrue();
    assertThat(registry.find("baton.wait").tag("name", "short-lived").timers()).isEmpty();
    assertThat(gauge("baton.available", "long-lived")).isEqualTo(1);
    assertThat(stays.available()).isEqualTo(1);
  }

  @Test
  void thoseOfScopesStay() {
    metrics.bindTo(registry);
    for (int i = 0; i < 3; i++) {
      try (Scope scope = Scope.open().named("request")) {
        assertThat(scope).isNotNull();
        assertThat(gauge("baton.held", "request")).isZero();
      }
      assertThat(gauge("baton.held", "request")).isNaN();
    }
    assertThat(hold("request").count()).isEqualTo(3);
  }

  // ---- timers ----

  @Test
  void waitsAreTimedByTheirOutcome() throws Exception {
    metrics.bindTo(registry);
    Semaphore semaphore = Semaphore.of(1).named("gate");
    semaphore.acquire();
    assertThat(semaphore.tryAcquire(SHORT)).isFalse();
    Thread waiter = start(semaphore::acquire);
    eventually(() -> semaphore.waiting() == 1);
    pass(SHORT);
    semaphore.release();
    waiter.join();
    assertThat(wait("gate", "granted").count()).isEqualTo(1);
    assertThat(wait("gate", "granted").totalTime(TimeUnit.NANOSECONDS)).isGreaterThanOrEqualTo((double) SHORT.toNanos());
    assertThat(wait("gate", "given_up").count()).isEqualTo(1);
    assertThat(wait("gate", "given_up").totalTime(TimeUnit.NANOSECONDS)).isGreaterThan(SHORT.toNanos() * 0.5);
  }

  @Test
  void holdsAreTimed() throws Exception {
    metrics.bindTo(registry);
    Semaphore semaphore = Semaphore.of(1).named("gate");
    try (Permit permit = semaphore.hold()) {
      pass(SHORT);
      assertThat(permit.count()).isEqualTo(1);
    }
    assertThat(hold("gate").count()).isEqualTo(1);
    assertThat(hold("gate").totalTime(TimeUnit.NANOSECONDS)).isGreaterThanOrEqualTo((double) SHORT.toNanos());
  }

  @Test
  void leasesAreTimedAndCounted() throws Exception {
    metrics.bindTo(registry);
    try (Leases leases = Leases.inMemory()) {
      LeaseSemaphore exports = leases.semaphore("exports", 2).observed().ttl(Duration.ofMinutes(1));
      LeaseSemaphore same = leases.semaphore("exports", 2).observed();
      Lease one = exports.acquire();
      Lease two = same.acquire();
      assertThat(gauge("baton.available", "exports")).isZero();
      assertThat(gauge("baton.held", "exports")).isEqualTo(2);
      assertThat(exports.tryAcquire(Duration.ofMillis(1))).isEmpty();
      Thread waiter = start(() -> exports.acquire().close());
      eventually(() -> exports.stats().waiting() == 1);
      assertThat(gauge("baton.waiting", "exports")).isEqualTo(1);
      one.close();
      two.close();
      waiter.join();
      assertThat(hold("exports").count()).isEqualTo(3);
      assertThat(wait("exports", "granted").count()).isEqualTo(1);
      assertThat(wait("exports", "given_up").count()).isEqualTo(1);
      // A handle that is not observed shares the permits, and is not timed.
      leases.semaphore("exports", 2).acquire().close();
      assertThat(hold("exports").count()).isEqualTo(3);
      assertThat(same.observed()).isSameAs(same);
    }
  }

  // ---- binding ----

  @Test
  void bindingTwiceIsBindingOnce() throws Exception {
    metrics.bindTo(registry);
    metrics.bindTo(registry);
    Semaphore semaphore = Semaphore.of(1).named("gate");
    semaphore.hold().close();
    assertThat(hold("gate").count()).isEqualTo(1);
  }

  @Test
  void afterTheEndNothingIsMeasuredAndNothingIsLeft() throws Exception {
    metrics.bindTo(registry);
    Semaphore semaphore = Semaphore.of(1).named("gate");
    Timer hold = hold("gate");
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
    semaphore.hold().close();
    assertThat(hold.count()).isZero();
    metrics.bindTo(registry);
    assertThat(gauge("baton.available", "gate")).isEqualTo(1);
  }

  @Test
  void tagsOfItsOwnAreOnEveryMeter() {
    Semaphore semaphore = Semaphore.of(1).named("gate");
    try (BatonMetrics tagged = new BatonMetrics(Tags.of("service", "shop"))) {
      tagged.bindTo(registry);
      assertThat(registry.getMeters()).isNotEmpty().extracting(Meter::getId).allMatch(id -> "shop".equals(id.getTag("service")));
    }
    assertThat(semaphore.available()).isEqualTo(1);
  }

  // ---- Prometheus ----

  @Test
  void aScrapeByPrometheus() throws Exception {
    long start = System.nanoTime();
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (BatonMetrics scraped = new BatonMetrics()) {
      scraped.bindTo(prometheus);
      Semaphore db = Semaphore.of(10).named("db");
      db.acquire(7);
      try (Permit permit = db.hold(2)) {
        assertThat(permit.count()).isEqualTo(2);
      }
      assertThat(db.tryAcquire(9, SHORT)).isFalse();
      Thread waiter = start(() -> db.acquire(5));
      eventually(() -> db.waiting() == 1);

      String page = prometheus.scrape();
      assertThat(page)
          .contains("baton_available{kind=\"semaphore\",name=\"db\"} 0.0\n")
          .contains("baton_held{kind=\"semaphore\",name=\"db\"} 7.0\n")
          .contains("baton_waiting{kind=\"semaphore\",name=\"db\"} 1.0\n")
          .contains("baton_hold_seconds_count{kind=\"semaphore\",name=\"db\"} 1\n")
          .contains("baton_wait_seconds_count{kind=\"semaphore\",name=\"db\",outcome=\"given_up\"} 1\n")
          .contains("baton_wait_seconds_count{kind=\"semaphore\",name=\"db\",outcome=\"granted\"} 0\n")
          .contains("# TYPE baton_wait_seconds summary\n");
      db.release(7);
      waiter.join();
      assertThat(prometheus.scrape())
          .contains("baton_wait_seconds_count{kind=\"semaphore\",name=\"db\",outcome=\"granted\"} 1\n")
          .contains("baton_available{kind=\"semaphore\",name=\"db\"} 5.0\n");
      assertThat(prometheus.get("baton.hold").tag("name", "db").timer().totalTime(TimeUnit.SECONDS))
          .as("in the unit that its name says")
          .isBetween(0.0, (System.nanoTime() - start) / 1e9);
    }
    assertThat(prometheus.scrape()).doesNotContain("baton_");
  }

  @Test
  void aThingThatGoesDuringAScrapeDisturbsNobody() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (BatonMetrics scraped = new BatonMetrics()) {
      scraped.bindTo(prometheus);
      Semaphore stays = Semaphore.of(1).named("stays");
      for (int i = 0; i < 50; i++) {
        Semaphore.of(1).named("goes " + i);
      }
      eventually(
          () -> {
            System.gc();
            String page = prometheus.scrape();
            assertThat(page).contains("baton_available{kind=\"semaphore\",name=\"stays\"} 1.0\n");
            return !page.contains("name=\"goes ");
          });
      assertThat(Baton.named()).anyMatch(thing -> thing.name().equals("stays"));
      assertThat(stays.available()).isEqualTo(1);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.lease.Lease;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.redis.RedisLeases;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run: processes that use leases, servers, and links between them; a plan of what goes wrong; then calm, in which everybody has to be served; then
 * the end, after which nothing may be left. All that was seen is checked afterwards.
 */
final class Chaos implements AutoCloseable {
  /** For the last look, at a server with which all is well. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final long seed;
  private final int workers;
  private final Path directory;
  private final String classPath;
  private final Servers servers;
  private final List<Place> places = new ArrayList<>();
  private final History history = new History();
  private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
  private int processes;

  /** Where a process stands: when it is killed, another one takes its place, at the same wire. Guarded by itself. */
  private final class Place {
    private final Wire wire = servers.newWire();
    private Child child = newChild();

    private Child newChild() {
      int number;
      synchronized (Chaos.this) {
        number = ++processes;
      }
      return new Child(directory, number, classPath, Worker.class, wire.port(), seed + number, workers);
    }

    synchronized void strike(Plan.Strike strike) {
      switch (strike.fault()) {
        case KILL -> {
          child.kill();
          read(child, true);
          child = newChild();
        }
        case PAUSE, LONG_PAUSE -> {
          child.pause();
          Soon.pause(strike.lasting());
          child.resume();
        }
        case CUT -> disturb(Wire.State.CUT, strike.lasting());
        case HALF_OPEN -> disturb(Wire.State.SWALLOWING, strike.lasting());
        case NO_ANSWERS -> disturb(Wire.State.MUTE, strike.lasting());
        case LATE -> disturb(Wire.State.HOLDING, strike.lasting());
        case SCRIPTS_FORGOTTEN, CLIENTS_KILLED, STALL, RESTART, RESTART_EMPTY, FAIL_OVER ->
            throw new IllegalArgumentException(strike + " does not strike a process");
      }
    }

    private void disturb(Wire.State state, long millis) {
      wire.become(state);
      Soon.pause(millis);
      wire.become(Wire.State.OPEN);
    }
  }

  /** Classes and resources in {@code first} stand before all others in the processes. */
  Chaos(long seed, int places, int workers, Path directory, Path... first) {
    this.classPath =
        Stream.concat(Stream.of(first).map(Path::toString), Stream.of(Child.OUR_CLASSES)).collect(Collectors.joining(File.pathSeparator));
    this.seed = seed;
    this.workers = workers;
    this.directory = directory;
    this.servers = new Servers(directory);
    for (int i = 0; i < places; i++) {
      this.places.add(new Place());
    }
  }

  /** Does what {@code plan} says, and tells what came of it; {@code progress} hears of each fault. */
  Report run(List<Plan.Strike> plan, Consumer<Plan.Strike> progress) throws IOException, InterruptedException {
    places.forEach(place -> place.child.awaitReady());
    long start = System.nanoTime();
    List<Thread> strikes = new ArrayList<>();
    for (Plan.Strike strike : plan) {
      Soon.pause(strike.at() - (System.nanoTime() - start) / 1_000_000);
      faults.merge(strike.fault(), 1, Integer::sum);
      progress.accept(strike);
      if (strike.fault().strikesServer()) {
        servers.strike(strike);
      } else {
        strikes.add(Thread.startVirtualThread(() -> places.get(strike.victim()).strike(strike)));
      }
    }
    for (Thread strike : strikes) {
      strike.join();
    }
    calm();
    end();
    history.epochs.addAll(servers.epochs());
    return new Report(
        seed, Duration.ofNanos(System.nanoTime() - start), places.size(), workers, processes, faults, history, Check.all(history));
  }

  private void calm() {
    places.forEach(place -> place.child.awaitReady());
    places.forEach(place -> place.child.order("calm"));
    history.expectedWaits = places.size() * workers * Resource.ALL.size();
    // Longer than is allowed: then it is known how much longer.
    Soon.within(LivenessCheck.BOUND.multipliedBy(3), () -> places.stream().allMatch(place -> place.child.hasSaid("served")));
  }

  private void end() {
    for (Place place : places) {
      place.child.order("quit");
      boolean well = place.child.awaitEnd();
      if (!well) {
        history.complaints.add("a process did not end as it should");
        place.child.kill();
      }
      read(place.child, !well);
    }
    try (Leases leases =
        RedisLeases.builder().uri("redis://127.0.0.1:" + servers.primary().port).namespace(Resource.NAMESPACE).commandTimeout(PATIENCE).connect()) {
      // The dead are found by those who look.
      Soon.within(Resource.WINDOW.multipliedBy(2), () -> leases.stats().values().stream().allMatch(s -> s.acquired() == 0));
      for (Resource resource : Resource.ALL) {
        LeaseSemaphore semaphore = leases.semaphore(resource.name(), resource.limit());
        Optional<Lease> all = semaphore.tryAcquire(resource.limit());
        all.ifPresent(Lease::close);
        if (all.isEmpty()) {
          history.residue.add("something that keeps permits of " + resource.name());
        }
      }
      history.stats.addAll(leases.stats().values());
    }
    for (String key : servers.primary().admin().keys("*")) {
      if (!key.endsWith(":cfg")) {
        history.residue.add(key);
      } else if (servers.primary().admin().pttl(key) <= 0) {
        history.residue.add(key + ", for ever");
      }
    }
  }

  private synchronized void read(Child child, boolean killed) {
    try {
      if (Files.exists(child.journal)) {
        history.read(child.journal, killed);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    history.complaints.addAll(child.complaints());
  }

  @Override
  public void close() {
    places.forEach(place -> place.child.kill());
    servers.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
import dev.baton.sync.Semaphore;

// Five runners share one permit. Each holds it for ten milliseconds, gives it back and asks for it again at once. Who
// gets it next: the one who has waited longest, or the one who just had it? The same race is run twice, recorded, and
// drawn from the record.
//
// The runners are virtual threads on a single carrier, as on a machine whose other cores are busy. With idle cores the
// picture is less stark: there a woken runner now and then beats the one who just gave the permit back.
//
//   ./baton run examples/FairPermits.java

static final List<String> RUNNERS = List.of("ann", "bob", "cleo", "dan", "eve");
static final int TURNS = 30;
static final Duration WORK = Duration.ofMillis(10);

void main() throws Exception {
  System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
  IO.println("Five runners on one core, one permit. Each works %d ms, returns it, asks again."
      .formatted(WORK.toMillis()));
  IO.println(Race.HOLDS + " holds the permit   " + Race.WAITS + " waits for it");
  Race theirs = race(javaUtilConcurrent());
  IO.println("\njava.util.concurrent: new Semaphore(1)\n" + theirs.picture());
  Race ours = race(baton());
  IO.println("\nBaton: Semaphore.of(1)\n" + ours.picture());
  IO.println("\nOvertaken: j.u.c. %d times, Baton %d. Longest wait: j.u.c. %d ms, Baton %d ms."
      .formatted(theirs.overtaken(), ours.overtaken(), theirs.longestWaitMillis(), ours.longestWaitMillis()));
}

/** Runs one race. The starter holds the permit until all runners stand in line, one behind the other. */
Race race(Permits permits) throws Exception {
  Race race = new Race(permits);
  try (var runners = Executors.newVirtualThreadPerTaskExecutor()) {
    permits.acquire();
    for (String name : RUNNERS) {
      runners.submit(() -> {
        boolean on = true;
        while (on) {
          long asked = System.nanoTime();
          permits.acquire();
          on = race.turn(name, asked);
          permits.release();
        }
        return null;
      });
      race.awaitInLine(RUNNERS.indexOf(name) + 1);
    }
    permits.release();
  }
  return race;
}

/** What both semaphores can do, so that both run the very same race. */
interface Permits {
  void acquire() throws InterruptedException;

  void release();

  long waiting();
}

Permits baton() {
  var semaphore = Semaphore.of(1);
  return new Permits() {
    public void acquire() throws InterruptedException { semaphore.acquire(); }
    public void release() { semaphore.release(); }
    public long waiting() { return semaphore.waiting(); }
  };
}

/** As most programs have it. With "true" as its second argument it would keep a line too. */
Permits javaUtilConcurrent() {
  var semaphore = new java.util.concurrent.Semaphore(1);
  return new Permits() {
    public void acquire() throws InterruptedException { semaphore.acquire(); }
    public void release() { semaphore.release(); }
    public long waiting() { return semaphore.getQueueLength(); }
  };
}

/** One wait for the permit and the time it was held; in nanoseconds. */
record Turn(String name, long asked, long granted, long released) {
  boolean overtook(Turn other) {
    return other.asked < asked && granted < other.granted;
  }
}

/** The record of a race, and what can be read from it. */
static final class Race {
  static final boolean BLOCKS = Charset.forName(System.getProperty("stdout.encoding")).newEncoder().canEncode('█');
  static final char HOLDS = BLOCKS ? '█' : '#';
  static final char WAITS = BLOCKS ? '·' : '.';
  static final int COLUMNS = 60;

  final Permits permits;
  /** Guarded by the permit itself: only who holds it writes here. */
  final List<Turn> turns = new ArrayList<>();
  /** Those who were still waiting when the race ended; guarded likewise. */
  final List<Turn> unserved = new ArrayList<>();

  Race(Permits permits) {
    this.permits = permits;
  }

  /** A runner got the permit: works and writes the turn down. False when the race was over already. */
  boolean turn(String name, long asked) throws InterruptedException {
    long granted = System.nanoTime();
    if (turns.size() == TURNS) {
      long end = turns.getLast().released;
      if (asked < end) {
        unserved.add(new Turn(name, asked, end, end));
      }
      return false;
    }
    Thread.sleep(WORK);
    // The one before may still be on its way back into the line; when all stand in it, who came first is beyond doubt.
    awaitInLine(RUNNERS.size() - 1);
    turns.add(new Turn(name, asked, granted, System.nanoTime()));
    return true;
  }

  void awaitInLine(int runners) {
    while (permits.waiting() < runners) {
      Thread.yield();
    }
  }

  List<Turn> all() {
    return Stream.concat(turns.stream(), unserved.stream()).toList();
  }

  long overtaken() {
    return turns.stream().mapToLong(turn -> all().stream().filter(turn::overtook).count()).sum();
  }

  long longestWaitMillis() {
    return all().stream().mapToLong(turn -> turn.granted - turn.asked).max().orElse(0) / 1_000_000;
  }

  /** A row for each runner, a column for each slice of time: the runner held the permit in the middle of it, or not. */
  String picture() {
    long start = turns.getFirst().granted;
    long slice = (turns.getLast().released - start) / COLUMNS;
    var rows = new StringJoiner("\n");
    for (String name : RUNNERS) {
      var own = turns.stream().filter(turn -> turn.name.equals(name)).toList();
      var row = new StringBuilder("  %-5s".formatted(name));
      for (int column = 0; column < COLUMNS; column++) {
        long moment = start + column * slice + slice / 2;
        boolean held = own.stream().anyMatch(turn -> turn.granted <= moment && moment < turn.released);
        row.append(held ? HOLDS : WAITS);
      }
      rows.add(row.append("  %2d turns".formatted(own.size())));
    }
    return rows.toString();
  }
}

// SPDX-License-Identifier: Apache-2.0
import dev.baton.scope.Scope;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;

// The philosophers of DiningPhilosophers.java, with a rule: the forks have numbers, and everyone takes the lower one
// first. The one between the last fork and the first has to begin with the other hand. So there is always somebody who
// holds the highest fork that anybody holds, waits for none, and eats.
//
//   ./baton run examples/DiningPhilosophersFixed.java

static final int SEATS = 5;

void main() throws Exception {
  List<Mutex> forks = Stream.generate(Mutex::new).limit(SEATS).toList();
  try (Scope table = Scope.open()) {
    for (int seat = 0; seat < SEATS; seat++) {
      int next = (seat + 1) % SEATS;
      Mutex lower = forks.get(Math.min(seat, next));
      Mutex higher = forks.get(Math.max(seat, next));
      table.fork(() -> eat(lower, higher));
    }
    table.join();
  }
  IO.println("All philosophers have eaten.");
}

void eat(Mutex first, Mutex second) throws InterruptedException {
  try (Guard inOneHand = first.guard();
      Guard inTheOther = second.guard()) {
    // eats
  }
}

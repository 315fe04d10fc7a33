// SPDX-License-Identifier: Apache-2.0
import dev.baton.scope.Scope;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;

// Five philosophers sit around a table, with one fork between each two of them, and it takes two forks to eat. Each takes
// the left one first and then the right one. Should all five take their left fork at the same moment, nobody will ever get
// a right one. On ordinary threads that hardly ever happens, which is what makes it a bug that is found by customers.
//
//   ./baton run examples/DiningPhilosophers.java

static final int SEATS = 5;

void main() throws Exception {
  List<Mutex> forks = Stream.generate(Mutex::new).limit(SEATS).toList();
  try (Scope table = Scope.open()) {
    for (int seat = 0; seat < SEATS; seat++) {
      Mutex left = forks.get(seat);
      Mutex right = forks.get((seat + 1) % SEATS);
      table.fork(() -> eat(left, right));
    }
    table.join();
  }
  IO.println("All philosophers have eaten.");
}

void eat(Mutex left, Mutex right) throws InterruptedException {
  try (Guard inLeftHand = left.guard();
      Guard inRightHand = right.guard()) {
    // eats
  }
}

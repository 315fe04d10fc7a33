// SPDX-License-Identifier: Apache-2.0
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Promise;

// A traveller asks a hotel for a room, waits for ten milliseconds, and then sleeps at the station. The hotel takes ten
// milliseconds to answer. When the answer comes just too late there are two beds for one traveller: the traveller has
// given up, but the hotel does not know.
//
//   ./baton run examples/TimeoutRace.java

static final Duration TEN_MILLIS = Duration.ofMillis(10);

void main() throws Exception {
  Queue<String> beds = new ConcurrentLinkedQueue<>();
  Promise<String> room = new Promise<>();
  try (Scope town = Scope.open()) {
    town.fork(() -> travel(room, beds));
    Time.sleep(TEN_MILLIS); // the hotel looks for a room
    beds.add("a room in the hotel");
    room.complete("17");
    town.join();
  }
  if (beds.size() != 1) {
    throw new IllegalStateException("One traveller has two beds: " + String.join(" and ", beds) + ".");
  }
  IO.println("The traveller has " + beds.peek() + ".");
}

void travel(Promise<String> room, Queue<String> beds) throws Exception {
  try {
    room.future().await(TEN_MILLIS);
  } catch (TimeoutException late) {
    beds.add("a bench at the station");
  }
}

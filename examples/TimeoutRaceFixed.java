// SPDX-License-Identifier: Apache-2.0
import dev.baton.scope.Scope;
import dev.baton.scope.Time;
import dev.baton.sync.Promise;

// The traveller of TimeoutRace.java. A promise is settled once, by whoever is first, and says who that was. So the hotel
// gives a room away only if it was first to answer, and the traveller goes to the station only if it was first to give up.
//
//   ./baton run examples/TimeoutRaceFixed.java

static final Duration TEN_MILLIS = Duration.ofMillis(10);

void main() throws Exception {
  Queue<String> beds = new ConcurrentLinkedQueue<>();
  Promise<String> room = new Promise<>();
  try (Scope town = Scope.open()) {
    town.fork(() -> travel(room, beds));
    Time.sleep(TEN_MILLIS); // the hotel looks for a room
    if (room.complete("17")) {
      beds.add("a room in the hotel");
    }
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
    if (room.fail(new CancellationException("The traveller has left."))) {
      beds.add("a bench at the station");
    }
  }
}

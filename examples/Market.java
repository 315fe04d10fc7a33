// SPDX-License-Identifier: Apache-2.0
import static dev.baton.effect.Effects.ask;
import static dev.baton.effect.Effects.complete;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.modify;
import static dev.baton.effect.Effects.now;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;

import dev.baton.effect.Effect;
import dev.baton.effect.Handlers;
import dev.baton.effect.LogEntry;
import dev.baton.effect.Promise;
import dev.baton.effect.RunResult;
import dev.baton.effect.Runner;
import dev.baton.effect.Timeout;
import dev.baton.runtime.Clock;
import dev.baton.scope.Task;

// A day at a market, in virtual time: from nine to five within milliseconds, and each time the same. Farmers bring apples, customers
// order some and wait until there are enough, but not for ever. What an apple costs is up to a handler, and goes by the hour.
//
//   ./baton run examples/Market.java

record Price(int apples) implements Effect<Integer> {}

record Visit(String story, int paid) {}

record Order(String customer, int apples, Promise<Integer> served) {}

static final Instant OPENING = Instant.parse("2026-05-04T09:00:00Z");
static final Duration DAY = Duration.ofHours(8);

void main() {
  // Cheaper in the afternoon.
  Handlers prices = Handlers.of(Price.class, price -> price.apples() * (hour() < 13 ? 3 : 2));
  Runner runner = Runner.create()
      .clock(Clock.virtual(OPENING))
      .environment(Map.of("patience", Duration.ofMinutes(90)))
      .state(Map.of("till", 0))
      .handlers(Handlers.defaults().with(prices));

  RunResult<Integer> day = runner.run(() -> new Market().day());
  for (LogEntry entry : day.log()) {
    IO.println(LocalTime.ofInstant(entry.time(), ZoneOffset.UTC) + "  " + entry.message());
  }
  IO.println("In the till: " + day.state().get("till") + ", left: " + day.value() + " apples.");

  RunResult<Integer> again = runner.run(() -> new Market().day());
  if (!again.log().equals(day.log()) || !again.state().equals(day.state())) {
    throw new IllegalStateException("The same day went differently: " + again.messages());
  }
}

static int hour() {
  return LocalTime.ofInstant(now(), ZoneOffset.UTC).getHour();
}

/** One task runs at a time, so the stall needs no lock. The first customer in the line is served first, however much the others want. */
static final class Market {
  private final Deque<Order> line = new ArrayDeque<>();
  private int apples;

  int day() {
    Task<Object> farmers = spawn("farmers", this::bring);
    List<Task<Visit>> customers = new ArrayList<>();
    String[] names = {"Ann", "Bob", "Cleo", "Dan", "Eve", "Finn"};
    for (int i = 0; i < names.length; i++) {
      String name = names[i];
      int wanted = 5 + 7 * i % 17;
      Duration comes = Duration.ofMinutes(20 + 55L * i);
      customers.add(spawn(name, () -> buy(name, wanted, comes)));
    }
    for (Task<Visit> customer : customers) {
      Visit visit = join(customer);
      tell(visit.story()); // the state and the log of a task are its own: the market keeps the books
      modify("till", (Integer before) -> before + visit.paid());
    }
    join(farmers);
    return apples;
  }

  /** A cart of ten every hour. */
  private Object bring() {
    for (Instant end = now().plus(DAY); now().isBefore(end); sleep(Duration.ofHours(1))) {
      apples += 10;
      serve();
    }
    return apples;
  }

  private Visit buy(String name, int wanted, Duration comes) {
    sleep(comes);
    Promise<Integer> served = promise();
    Order order = new Order(name, wanted, served);
    line.add(order);
    serve();
    Duration patience = ask("patience");
    try {
      return bought(order, Timeout.after(patience).run(() -> join(served.future())));
    } catch (TimeoutException tooLong) {
      if (!line.remove(order)) {
        return bought(order, join(served.future())); // at the last moment
      }
      serve(); // whoever stands behind is next
      return new Visit("%s has left at %d o'clock without %d apples".formatted(name, hour(), wanted), 0);
    }
  }

  private static Visit bought(Order order, int paid) {
    return new Visit(
        "%s has bought %d apples at %d o'clock for %d".formatted(order.customer(), order.apples(), hour(), paid), paid);
  }

  private void serve() {
    for (Order first = line.peek(); first != null && first.apples() <= apples; first = line.peek()) {
      line.remove();
      apples -= first.apples();
      complete(first.served(), perform(new Price(first.apples())));
    }
  }
}

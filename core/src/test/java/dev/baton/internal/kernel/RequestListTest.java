// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lines of those who wait, beside a list of the JDK's: any history, both of them. */
class RequestListTest {
  private static final Host HOST = Hosts.threads();

  @Test
  void aListIsWhatAListOfTheJdkWouldBe() {
    for (int seed = 0; seed < 300; seed++) {
      RequestList list = new RequestList();
      new Line(list::append, list::prepend, list::poll, list::remove, list::first, list::last, list::size).live(new Random(seed));
    }
  }

  @Test
  void soIsTheLineOfSenders() {
    for (int seed = 0; seed < 300; seed++) {
      TwoLineQueue queue = new TwoLineQueue() {};
      new Line(queue::appendSender, null, queue::pollSender, queue::removeSender, queue::firstSender, null, queue::senders).live(new Random(seed));
    }
  }

  private record Line(
      Consumer<Request> append,
      @Nullable Consumer<Request> prepend,
      Supplier<@Nullable Request> poll,
      Consumer<Request> remove,
      Supplier<@Nullable Request> first,
      @Nullable Supplier<@Nullable Request> last,
      IntSupplier size) {

    void live(Random random) {
      List<Request> expected = new ArrayList<>();
      for (int step = 0; step < 60; step++) {
        Request fresh = new Request(1, HOST, "a task");
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            append.accept(fresh);
            expected.add(fresh);
          }
          case 2 -> {
            if (prepend != null) {
              prepend.accept(fresh);
              expected.addFirst(fresh);
            }
          }
          case 3 -> isOut(poll.get(), expected.isEmpty() ? null : expected.removeFirst());
          default -> {
            if (!expected.isEmpty()) {
              Request gone = expected.remove(random.nextInt(expected.size()));
              remove.accept(gone);
              isOut(gone, gone);
            }
          }
        }
        isSame(expected);
      }
    }

    private static void isOut(@Nullable Request found, @Nullable Request expected) {
      assertThat(found).isSameAs(expected);
      if (found != null) {
        assertThat(found.previous).isNull();
        assertThat(found.next).isNull();
      }
    }

    private void isSame(List<Request> expected) {
      assertThat(size.getAsInt()).isEqualTo(expected.size());
      Request before = null;
      int index = 0;
      for (Request each = first.get(); each != null; each = each.next) {
        assertThat(each).isSameAs(expected.get(index++));
        assertThat(each.previous).isSameAs(before);
        before = each;
      }
      assertThat(index).isEqualTo(expected.size());
      if (last != null) {
        assertThat(last.get()).isSameAs(before);
      }
    }
  }
}

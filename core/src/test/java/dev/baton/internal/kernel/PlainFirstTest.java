// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Host;
import dev.baton.host.Waiter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the queue knows of the first in line without a look at it. */
class PlainFirstTest {
  private static final Host HOST =
      (Host)
          Proxy.newProxyInstance(
              Host.class.getClassLoader(),
              new Class<?>[] {Host.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "maySpin" -> false;
                    case "nanoTime", "roughNanoTime" -> 0L;
                    default -> null;
                  });

  /** One that others may claim, too. */
  private static final class Contested extends Request {
    boolean elsewhere;

    Contested(long need) {
      super(need, HOST, "a task");
    }

    @Override
    protected boolean claim() {
      return !elsewhere;
    }
  }

  private final PermitQueue queue = new PermitQueue(2, 0);

  private static Request plain() {
    return new Request(1, HOST, "a task");
  }

  private <R extends Request> R enqueue(R request) {
    assertThat(queue.enqueue(request, false)).isEqualTo(Waiter.WAITING);
    return request;
  }

  @Test
  void onlyWhoAsksForOnePermitAndIsTheQueuesAloneIsPlain() {
    assertThat(plain().isPlain()).isTrue();
    assertThat(new Request(2, HOST, "a task").isPlain()).isFalse();
    assertThat(new Contested(1).isPlain()).isFalse();
  }

  @Test
  void theFirstToComeIsKnownAndSoIsEachThatBecomesFirstByAGrant() {
    Request first = enqueue(plain());
    Request second = enqueue(plain());
    Request third = enqueue(new Contested(1));
    assertThat(queue.firstIsPlain && queue.first() == first).isTrue();

    assertThat(queue.giveOne()).isTrue();
    assertThat(first.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(queue.firstIsPlain && queue.first() == second).isTrue();

    assertThat(queue.giveOne()).isTrue();
    assertThat(second.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(third.outcome()).isEqualTo(Waiter.WAITING);
    assertThat(queue.firstIsPlain).isFalse();
  }

  @Test
  void oneThatLeavesIsNeitherServedNorKept() {
    Request leaves = enqueue(plain());
    Request stays = enqueue(plain());

    assertThat(queue.cancel(leaves)).isTrue();

    assertThat(queue.firstIsPlain).isFalse();
    assertThat(queue.giveOne()).isTrue();
    assertThat(leaves.outcome()).isEqualTo(Waiter.WAITING);
    assertThat(stays.outcome()).isEqualTo(Waiter.GRANTED);
  }

  @Test
  void whoeverIsPutBeforeItIsServedBeforeIt() {
    Request second = enqueue(plain());
    Request first = new Request(2, HOST, "a task");
    assertThat(queue.enqueueBeforeAll(first)).isEqualTo(Waiter.WAITING);

    assertThat(queue.giveOne()).isTrue();
    assertThat(second.outcome()).as("the one before it needs two").isEqualTo(Waiter.WAITING);

    assertThat(queue.giveOne()).isTrue();
    assertThat(first.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(second.outcome()).isEqualTo(Waiter.WAITING);
  }

  @Test
  void oneThatWasServedElsewhereCostsNothing() {
    Contested elsewhere = enqueue(new Contested(2));
    elsewhere.elsewhere = true;
    Request next = enqueue(plain());
    Request last = enqueue(plain());

    assertThat(queue.give(2)).isTrue();

    assertThat(elsewhere.outcome()).isEqualTo(Waiter.WAITING);
    assertThat(next.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(last.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(queue.give(2)).isTrue();
    assertThat(queue.available()).isEqualTo(2);
  }

  @Test
  void whateverHappensItIsServedAsOneThatIsAsked() {
    for (int seed = 0; seed < 500; seed++) {
      History plain = new History(new Random(seed), false);
      History asked = new History(new Random(seed), true);
      for (int step = 0; step < 80; step++) {
        plain.step();
        asked.step();
        assertThat(plain.seen()).as("seed %d, step %d", seed, step).isEqualTo(asked.seen());
        plain.checkKnown();
        assertThat(asked.queue.firstIsPlain).isFalse();
      }
      plain.end();
      asked.end();
    }
  }

  /** Anything, by chance; the same for the same chance, but that there may be no plain requests. */
  private static final class History {
    private static final int LIMIT = 3;
    private final Random random;
    private final boolean allAsked;
    private final PermitQueue queue = new PermitQueue(LIMIT, 0);
    private final List<Request> all = new ArrayList<>();

    History(Random random, boolean allAsked) {
      this.random = random;
      this.allAsked = allAsked;
    }

    private Request forOne() {
      return allAsked ? new Request(1, HOST, "a task") {} : plain();
    }

    private void enqueue(Request request, boolean registered) {
      queue.enqueue(request, registered);
      all.add(request);
    }

    void step() {
      switch (random.nextInt(13)) {
        case 0, 1 -> enqueue(forOne(), false);
        case 2, 3 -> {
          if (!queue.takeOne()) {
            enqueue(forOne(), true);
          }
        }
        case 4 -> enqueue(new Request(1 + random.nextInt(LIMIT), HOST, "a task") {}, false);
        case 5 -> {
          Contested contested = new Contested(1 + random.nextInt(LIMIT));
          enqueue(contested, false);
          contested.elsewhere = random.nextBoolean();
        }
        case 6 -> {
          Request front = forOne();
          queue.enqueueBeforeAll(front);
          all.add(front);
        }
        case 7 -> queue.tryTakeBeforeAll(1 + random.nextInt(2));
        case 8 -> {
          if (!all.isEmpty()) {
            queue.leave(all.get(random.nextInt(all.size())));
          }
        }
        case 9 -> queue.resize(random.nextInt(LIMIT + 1));
        case 10 -> queue.give(1 + random.nextInt(LIMIT));
        default -> queue.giveOne();
      }
    }

    /** All that can be seen from outside. */
    List<Object> seen() {
      List<Object> seen = new ArrayList<>();
      for (Request request : all) {
        seen.add(request.outcome());
      }
      seen.add(queue.waiting());
      QueueState now = queue.state();
      seen.addAll(List.of(now.limit(), now.free(), now.reserved(), now.held(), now.debt()));
      return seen;
    }

    void checkKnown() {
      Request first = queue.first();
      if (queue.firstIsPlain) {
        assertThat(first != null && first.queued && first.isPlain() && first.outcome() == Waiter.WAITING).isTrue();
      }
      Request ahead = queue.ahead;
      if (queue.firstIsAhead) {
        assertThat(first != null && ahead == null).isTrue();
      }
      if (ahead != null) {
        assertThat(ahead.queued && ahead.outcome() == Waiter.WAITING).isTrue();
      }
      checkLine();
    }

    private void checkLine() {
      Request before = null;
      int size = 0;
      for (Request each = queue.first(); each != null; each = queue.after(each)) {
        assertThat(each.previous).isSameAs(before);
        before = each;
        size++;
      }
      assertThat(queue.last()).isSameAs(before);
      assertThat(queue.size()).isEqualTo(size);
    }

    /** All comes back. */
    void end() {
      queue.resize(LIMIT);
      all.forEach(queue::cancel);
      while (queue.held() > 0) {
        assertThat(queue.giveOne()).isTrue();
      }
      assertThat(queue.available()).isEqualTo(LIMIT);
      queue.close();
      assertThat(queue.firstIsPlain).isFalse();
    }
  }
}

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

    Contested() {
      super(1, HOST, "a task");
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
    assertThat(new Contested().isPlain()).isFalse();
  }

  @Test
  void theFirstToComeIsKnownAndSoIsEachThatBecomesFirstByAGrant() {
    Request first = enqueue(plain());
    Request second = enqueue(plain());
    Request third = enqueue(new Contested());
    assertThat(queue.plainFirst).isSameAs(first);

    assertThat(queue.giveOne()).isTrue();
    assertThat(first.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(queue.plainFirst).isSameAs(second);

    assertThat(queue.giveOne()).isTrue();
    assertThat(second.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(third.outcome()).isEqualTo(Waiter.WAITING);
    assertThat(queue.plainFirst).isNull();
  }

  @Test
  void oneThatLeavesIsNeitherServedNorKept() {
    Request leaves = enqueue(plain());
    Request stays = enqueue(plain());

    assertThat(queue.cancel(leaves)).isTrue();

    assertThat(queue.plainFirst).isNull();
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
    Contested elsewhere = enqueue(new Contested());
    elsewhere.elsewhere = true;
    Request next = enqueue(plain());

    assertThat(queue.giveOne()).isTrue();

    assertThat(elsewhere.outcome()).isEqualTo(Waiter.WAITING);
    assertThat(next.outcome()).isEqualTo(Waiter.GRANTED);
    assertThat(queue.held()).isEqualTo(2);
  }

  @Test
  void whateverHappensNobodyIsKnownWhoDoesNotStandInLine() {
    for (int seed = 0; seed < 300; seed++) {
      anyHistory(new Random(seed), new PermitQueue(3, 0));
    }
  }

  private static void anyHistory(Random random, PermitQueue any) {
    List<Request> all = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      switch (random.nextInt(9)) {
        case 0, 1, 2 -> all.add(enqueued(any, plain()));
        case 3 -> all.add(enqueued(any, new Request(1 + random.nextInt(3), HOST, "a task")));
        case 4 -> {
          Contested contested = new Contested();
          all.add(enqueued(any, contested));
          contested.elsewhere = random.nextBoolean();
        }
        case 5 -> {
          Request front = new Request(1, HOST, "a task");
          any.enqueueBeforeAll(front);
          all.add(front);
        }
        case 6 -> {
          if (!all.isEmpty()) {
            any.leave(all.get(random.nextInt(all.size())));
          }
        }
        case 7 -> any.resize(2 + random.nextInt(2));
        default -> any.giveOne();
      }
      Request known = any.plainFirst;
      if (known != null) {
        assertThat(known.queued && known.isPlain() && known.outcome() == Waiter.WAITING).isTrue();
      }
    }
    any.close();
    assertThat(any.plainFirst).isNull();
    assertThat(any.waiting()).isZero();
  }

  private static Request enqueued(PermitQueue any, Request request) {
    any.enqueue(request, false);
    return request;
  }
}

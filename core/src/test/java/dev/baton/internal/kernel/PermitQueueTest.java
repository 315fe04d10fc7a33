// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.host.Waiter;
import dev.baton.internal.threads.ThreadHost;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The kernel by hand: requests whose wake-ups are recorded, refused or throw. */
class PermitQueueTest {
  private final List<String> woken = new ArrayList<>();

  private final class Recorded extends Request {
    private final String name;
    private boolean claimable = true;
    private @Nullable RuntimeException error;

    Recorded(String name, long need) {
      super(need, ThreadHost.INSTANCE, null);
      this.name = name;
    }

    @Override
    protected boolean claim() {
      return claimable;
    }

    @Override
    public void wake() {
      woken.add(name + "=" + outcome());
      if (error != null) {
        throw error;
      }
    }
  }

  private Recorded queued(PermitQueue queue, String name, long need) {
    Recorded request = new Recorded(name, need);
    assertThat(queue.enqueue(request, false)).isEqualTo(Waiter.WAITING);
    return request;
  }

  @Test
  void case49_aWakeUpThatThrowsSkipsNobodyAndSurfacesOnce() {
    PermitQueue queue = new PermitQueue(4, 0);
    queued(queue, "a", 1);
    Recorded b = queued(queue, "b", 1);
    Recorded c = queued(queue, "c", 1);
    queued(queue, "d", 1);
    b.error = new IllegalStateException("b failed");
    c.error = new IllegalStateException("c failed");
    assertThatThrownBy(() -> queue.give(4))
        .isSameAs(b.error)
        .satisfies(e -> assertThat(e.getSuppressed()).containsExactly(c.error));
    assertThat(woken).containsExactly("a=1", "b=1", "c=1", "d=1");
    assertThat(queue.state().held()).isEqualTo(4);
    assertThat(queue.give(4)).isTrue();
    assertThat(queue.available()).isEqualTo(4);
  }

  @Test
  void wakeUpsComeInOrderAndOneReleaseServesAll() {
    PermitQueue queue = new PermitQueue(6, 0);
    queued(queue, "a", 1);
    queued(queue, "b", 2);
    queued(queue, "c", 3);
    queue.give(6);
    assertThat(woken).containsExactly("a=1", "b=1", "c=1");
  }

  @Test
  void tasksAreWokenBeforeCallbacks() {
    PermitQueue queue = new PermitQueue(3, 0);
    queued(queue, "callback", 1);
    Request task =
        new Request(1, ThreadHost.INSTANCE, Thread.currentThread()) {
          @Override
          public void wake() {
            woken.add("task");
          }
        };
    queue.enqueue(task, false);
    queue.give(2);
    assertThat(woken).containsExactly("task", "callback=1");
  }

  @Test
  void aSelectThatIsNextInLineSleepsUntilItIsServed() {
    PermitQueue queue = new PermitQueue(2, 0);
    Hosts.runOn(
        recordingUnparks(),
        () -> {
          queued(queue, "first", 1);
          SelectRequest select = new SelectRequest(new Selection(1), 0, 1);
          queue.enqueue(select, false);
          queue.give(1);
          assertThat(woken).containsExactly("first=1");
          assertThat(select.outcome()).isEqualTo(Waiter.WAITING);
          queue.give(1);
          assertThat(select.outcome()).isEqualTo(Waiter.GRANTED);
        });
  }

  /** Threads, of which each that is woken is written down. */
  private Host recordingUnparks() {
    return (Host)
        Proxy.newProxyInstance(
            Host.class.getClassLoader(),
            new Class<?>[] {Host.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("unpark")) {
                woken.add("unparked");
              }
              return method.invoke(ThreadHost.INSTANCE, arguments);
            });
  }

  @Test
  void aWakeUpMayComeBackIntoTheQueue() {
    PermitQueue queue = new PermitQueue(1, 0);
    Request reentrant =
        new Request(1, ThreadHost.INSTANCE, null) {
          @Override
          public void wake() {
            // The lock is free: otherwise this would never return.
            assertThat(queue.give(1)).isTrue();
            woken.add("reentrant");
          }
        };
    queue.enqueue(reentrant, false);
    queued(queue, "next", 1);
    queue.give(1);
    assertThat(woken).containsExactly("next=1", "reentrant");
  }

  @Test
  void aRequestServedElsewhereTakesNothing() {
    PermitQueue queue = new PermitQueue(2, 0);
    Recorded gone = queued(queue, "gone", 2);
    queued(queue, "next", 1);
    gone.claimable = false;
    queue.give(2);
    assertThat(woken).containsExactly("next=1");
    assertThat(queue.available()).isEqualTo(1);
    assertThat(queue.state().held()).isEqualTo(1);
  }

  @Test
  void closeAndResizeDropARequestServedElsewhere() {
    PermitQueue queue = new PermitQueue(3, 0);
    queued(queue, "gone", 3).claimable = false;
    queued(queue, "here", 3);
    queue.resize(2);
    assertThat(woken).containsExactly("here=" + Waiter.REFUSED);
    queued(queue, "gone", 1).claimable = false;
    queued(queue, "closed", 1);
    queue.close();
    assertThat(woken).containsExactly("here=" + Waiter.REFUSED, "closed=" + Waiter.CLOSED);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  void whatWaitersAskForTogetherIsCapped() {
    PermitQueue queue = new PermitQueue(PermitQueue.MAX, 0);
    queued(queue, "a", PermitQueue.MAX);
    queued(queue, "b", PermitQueue.MAX);
    Recorded tooMuch = new Recorded("c", PermitQueue.MAX);
    assertThat(queue.enqueue(tooMuch, false)).isEqualTo(Waiter.OVERFULL);
    assertThat(queue.waiting()).isEqualTo(2);
  }

  @Test
  void demandThatIsWithdrawnBeforeItQueuesIsGivenBack() {
    PermitQueue queue = new PermitQueue(1, 1);
    assertThat(queue.takeOne()).isTrue();
    assertThat(queue.takeOne()).isFalse();
    queue.withdraw(1);
    assertThat(queue.giveOne()).isTrue();
    assertThat(queue.available()).isEqualTo(1);
  }

  @Test
  void cancellingChangesNoCountAndHappensOnce() {
    PermitQueue queue = new PermitQueue(1, 0);
    Recorded a = queued(queue, "a", 1);
    assertThat(queue.cancel(a)).isTrue();
    assertThat(queue.cancel(a)).isFalse();
    assertThat(queue.available()).isZero();
    assertThat(queue.giveOne()).isTrue();
    assertThat(queue.available()).isEqualTo(1);
    assertThat(queue.giveOne()).isFalse();
    assertThat(queue.available()).isEqualTo(1);
  }

  @Test
  void takingBeforeAllUsesWhatIsSetAsideAndNothingMore() {
    PermitQueue queue = new PermitQueue(3, 2);
    Recorded writer = queued(queue, "writer", 3);
    Recorded reader = queued(queue, "reader", 1);
    assertThat(queue.tryTakeBeforeAll(3)).isFalse();
    assertThat(queue.tryTakeBeforeAll(2)).isTrue();
    assertThat(queue.held()).isEqualTo(3);
    assertThat(queue.tryTakeBeforeAll(1)).isFalse();
    queue.give(2);
    assertThat(woken).isEmpty();
    queue.giveOne();
    assertThat(woken).containsExactly("writer=1");
    queue.give(3);
    assertThat(queue.held()).isEqualTo(1);
    queue.giveOne();
    assertThat(queue.available()).isEqualTo(3);
    assertThat(List.of(writer.outcome(), reader.outcome())).containsOnly(Waiter.GRANTED);
  }

  @Test
  void allThatIsReturnedAtOnceServesTheQueueAndTheRestIsFree() {
    PermitQueue queue = new PermitQueue(3, 3);
    assertThat(queue.takeAll(3)).isTrue();
    queued(queue, "one", 1);
    queued(queue, "another", 1);
    queue.giveAll(3);
    assertThat(woken).containsExactly("one=1", "another=1");
    assertThat(queue.available()).isEqualTo(1);
    assertThat(queue.held()).isEqualTo(2);
    queued(queue, "all", 3);
    queue.give(2);
    assertThat(woken).containsExactly("one=1", "another=1", "all=1");
    queued(queue, "next", 3);
    queued(queue, "last", 1);
    queue.giveAll(3);
    assertThat(woken).containsExactly("one=1", "another=1", "all=1", "next=1");
    queue.giveAll(3);
    assertThat(woken).endsWith("last=1");
    assertThat(queue.giveOne()).isTrue();
    assertThat(queue.available()).isEqualTo(3);
    assertThat(queue.takeAll(3)).isTrue();
  }

  @Test
  void allThatIsReturnedAtOnceIsNeverMoreThanThereIs() {
    PermitQueue queue = new PermitQueue(3, 3);
    assertThat(queue.takeAll(3)).isTrue();
    assertThat(queue.give(2)).isTrue();
    queue.giveAll(3);
    assertThat(queue.available()).isEqualTo(3);
    assertThat(queue.held()).isZero();
    assertThat(queue.takeAll(3)).isTrue();
    queue.giveAll(3);
    assertThat(queue.giveOne()).isFalse();
  }

  /** Somebody else comes just before its next critical section: after the word was changed, before that is booked. */
  private static final class Overtaken extends PermitQueue {
    private @Nullable Runnable by;

    Overtaken(long limit) {
      super(limit, limit);
    }

    @Override
    protected void lock() {
      Runnable first = by;
      by = null;
      if (first != null) {
        first.run();
      }
      super.lock();
    }
  }

  @Test
  void aReturnThatPaysADebtFindsTheWrongOneThatPassedMeanwhile() {
    Overtaken queue = new Overtaken(1);
    assertThat(queue.takeOne()).isTrue();
    queue.resize(0);
    List<Boolean> accepted = new ArrayList<>();
    queue.by = () -> accepted.add(queue.giveOne());
    accepted.add(queue.giveOne());
    assertThat(accepted).containsExactlyInAnyOrder(true, false);
    assertThat(queue.available()).isZero();
    assertThat(queue.takeOne()).isFalse();
  }

  @Test
  void aReturnThatPaysADebtFindsTheWrongOneAlsoIfOthersAreHeld() {
    Overtaken queue = new Overtaken(2);
    assertThat(queue.tryTake(2)).isTrue();
    queue.resize(1);
    List<Boolean> accepted = new ArrayList<>();
    queue.by =
        () -> {
          accepted.add(queue.giveOne());
          accepted.add(queue.giveOne());
        };
    accepted.add(queue.giveOne());
    assertThat(accepted).containsExactlyInAnyOrder(true, true, false);
    assertThat(queue.state().free()).isEqualTo(1);
    assertThat(queue.tryTake(1)).isTrue();
    assertThat(queue.tryTake(1)).isFalse();
  }

  @Test
  void aDebtIsPaidOnlyByWhatIsStillHeld() {
    Overtaken queue = new Overtaken(2);
    assertThat(queue.tryTake(2)).isTrue();
    queue.resize(0);
    queue.by =
        () -> {
          // Wrong: one that is booked, and one that is accepted while the first return is still on its way.
          queue.giveOne();
          queue.giveOne();
          queue.forgetHeld(1);
        };
    queue.giveOne();
    assertThat(queue.available()).isZero();
    assertThat(queue.takeOne()).isFalse();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.threads.ThreadHost;
import dev.baton.pattern.BoundedExecutor;
import dev.baton.sync.Semaphore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A host may throw a task out of its wait: nothing stays behind, and what was handed over at that moment is not lost. */
class UnwindingTest {
  private static final Duration LONG = Duration.ofHours(1);

  private static final class Unwound extends Error {
    private static final long serialVersionUID = 1;
  }

  @Test
  void aSelectThatIsUnwoundLeavesNothingBehind() throws Exception {
    for (Thing thing : Thing.all()) {
      assertThat(unwinding(() -> {}, () -> Select.of(thing.clause()).run())).isInstanceOf(Unwound.class);
      assertThat(thing.waiting().getAsInt()).as(thing.name()).isZero();
      thing.makeReady().run();
      assertThat(Select.of(thing.clause(), Select.otherwise(() -> "gone")).run()).isEqualTo(thing.name());
      assertThat(thing.atRest().getAsBoolean()).as(thing.name()).isTrue();
    }
  }

  @Test
  void whatASelectWasServedAsItWasUnwoundGoesBack() throws Exception {
    for (Thing thing : Thing.all()) {
      assertThat(unwinding(thing.makeReady(), () -> Select.of(thing.clause()).run()))
          .isInstanceOf(Unwound.class)
          .hasNoSuppressedExceptions();
      assertThat(thing.waiting().getAsInt()).as(thing.name()).isZero();
      // A value that was sent is sent, one that was received cannot go back: see below.
      assertThat(thing.atRest().getAsBoolean()).as(thing.name()).isTrue();
    }
  }

  @Test
  void aValueThatWasReceivedByOneWhoIsUnwoundGoesToTheHook() {
    List<String> undelivered = new ArrayList<>();
    Channel<String> channel = Channel.rendezvous(undelivered::add);
    for (Callable<?> receive :
        List.<Callable<?>>of(
            channel::receive,
            channel::receiveUninterruptibly,
            () -> channel.tryReceive(LONG),
            () -> channel.receiveMany(2),
            () -> channel.iterator().next(),
            () -> Select.of(Select.receive(channel, v -> v)).run())) {
      undelivered.clear();
      assertThat(unwinding(() -> channel.trySend("value"), receive)).isInstanceOf(Unwound.class);
      assertThat(undelivered).containsExactly("value");
      assertThat(channel.waitingReceivers()).isZero();
    }
  }

  @Test
  void aHookThatThrowsDoesNotHideTheReason() {
    Channel<String> channel =
        Channel.rendezvous(
            value -> {
              throw new IllegalStateException("hook");
            });
    for (Callable<?> receive :
        List.<Callable<?>>of(channel::receive, () -> Select.of(Select.receive(channel, v -> v)).run())) {
      Throwable thrown = unwinding(() -> channel.trySend("value"), receive);
      assertThat(thrown).isInstanceOf(Unwound.class);
      assertThat(thrown.getSuppressed()).extracting(Throwable::getMessage).containsExactly("hook");
    }
  }

  @Test
  void aSenderThatIsUnwoundHasNotSentUnlessItHad() {
    Channel<String> channel = Channel.rendezvous();
    assertThat(unwinding(() -> {}, () -> channel.trySend("a", LONG))).isInstanceOf(Unwound.class);
    assertThat(channel.tryReceive().value()).isEmpty();
    List<String> received = new ArrayList<>();
    assertThat(unwinding(() -> channel.tryReceive().value().ifPresent(received::add), () -> channel.trySend("b", LONG)))
        .isInstanceOf(Unwound.class);
    assertThat(received).containsExactly("b");
    assertThat(channel.waitingSenders()).isZero();
  }

  @Test
  void anEndThatMeetsTheUnwindingIsOnlyAnEnd() {
    for (boolean failing : new boolean[] {false, true}) {
      for (boolean sending : new boolean[] {false, true}) {
        Channel<String> channel = Channel.rendezvous();
        Runnable end = failing ? () -> channel.fail(new IllegalStateException("broken")) : channel::close;
        Clause<String> clause = sending ? Select.send(channel, "v", () -> "sent") : Select.receive(channel, v -> v);
        assertThat(unwinding(end, () -> Select.of(clause).run())).isInstanceOf(Unwound.class).hasNoSuppressedExceptions();
        Channel<String> again = Channel.rendezvous();
        Runnable endAgain = failing ? () -> again.fail(new IllegalStateException("broken")) : again::close;
        assertThat(unwinding(endAgain, again::receive)).isInstanceOf(Unwound.class).hasNoSuppressedExceptions();
        assertThat(channel.waitingReceivers() + channel.waitingSenders()).isZero();
      }
    }
  }

  @Test
  void aTaskWhoseSubmitterIsUnwoundTakesOnePlaceIfItHasBegunAndNoneIfNot() throws Exception {
    for (boolean begins : new boolean[] {true, false}) {
      Semaphore go = Semaphore.unbounded(0);
      CountDownLatch begun = new CountDownLatch(1);
      BoundedExecutor executor = BoundedExecutor.limit(1).queue(1).build();
      CountDownLatch firstBegun = new CountDownLatch(1);
      executor.execute(
          () -> {
            firstBegun.countDown();
            go.acquireUninterruptibly();
          });
      awaitUninterruptibly(firstBegun);
      Future<?> stored = executor.submit(() -> {});
      Callable<?> submission =
          () -> {
            executor.execute(
                () -> {
                  begun.countDown();
                  go.acquireUninterruptibly();
                });
            return null;
          };
      Runnable meanwhile =
          () -> {
            stored.cancel(true);
            if (begins) {
              go.release();
              awaitUninterruptibly(begun);
            }
          };
      assertThat(unwinding(meanwhile, submission)).isInstanceOf(Unwound.class).hasNoSuppressedExceptions();
      // One runs, be it the first or the one that was just accepted; so there is room for one more.
      assertThat(executor.snapshot().queued()).isZero();
      assertThat(executor.tryExecute(() -> {})).isTrue();
      assertThat(executor.tryExecute(() -> {})).isFalse();
      assertThat(begun.getCount()).isEqualTo(begins ? 0 : 1);
      go.release();
      executor.close();
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Runs {@code body}; where it falls asleep, {@code meanwhile} happens, and it is thrown out. */
  private static Throwable unwinding(Runnable meanwhile, Callable<?> body) {
    Host host =
        (Host)
            Proxy.newProxyInstance(
                Host.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, method, arguments) -> {
                  if (method.getName().startsWith("park")) {
                    meanwhile.run();
                    throw new Unwound();
                  }
                  try {
                    return method.invoke(ThreadHost.INSTANCE, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Hosts.runOn(
        host,
        () -> {
          try {
            body.call();
          } catch (Throwable t) {
            thrown.set(t);
          }
        });
    return thrown.get();
  }
}

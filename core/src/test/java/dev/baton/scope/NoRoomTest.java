// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.internal.threads.ThreadHost;
import dev.baton.sync.Event;
import dev.baton.sync.VoidBody;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tasks that use up all memory fail with that, and so may whatever is allocated to say so. What a scope is for holds nevertheless: nobody waits
 * for ever, no permit is lost, and nothing outlives the block.
 */
@Timeout(60)
class NoRoomTest {
  private final OutOfMemoryError noRoom = new OutOfMemoryError("as if");

  /** On threads, in a world where {@code method} fails so many times for want of memory. */
  private void where(String method, AtomicInteger times, VoidBody<Exception> body) throws Exception {
    AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
    AtomicReference<Host> self = new AtomicReference<>();
    self.set(
        (Host)
            Proxy.newProxyInstance(
                Host.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, called, args) -> {
                  if (called.getName().equals(method) && times.getAndUpdate(n -> Math.max(n - 1, 0)) > 0) {
                    throw noRoom;
                  }
                  if (called.getName().equals("start")) {
                    // Its tasks are of the same world.
                    Runnable task = (Runnable) args[1];
                    return ThreadHost.INSTANCE.start(
                        (String) args[0], () -> runUntilWaitedFor(task, self.get(), method, times));
                  }
                  try {
                    return called.invoke(ThreadHost.INSTANCE, args);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                }));
    Hosts.runOn(
        self.get(),
        () -> {
          try {
            body.run();
          } catch (Throwable e) {
            failed.set(e);
          }
        });
    if (failed.get() instanceof Exception e) {
      throw e;
    }
    if (failed.get() instanceof Error e) {
      throw e;
    }
  }

  /** A thread that is gone already is not waited for: where that is to fail, it stays until somebody has tried. */
  private static void runUntilWaitedFor(Runnable body, Host host, String method, AtomicInteger times) {
    Hosts.runOn(host, body);
    while (method.equals("awaitEnd") && times.get() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aBlockThatHasNoMemoryToWaitForItsTasksWaitsForThemAllTheSame() throws Exception {
    AtomicInteger times = new AtomicInteger();
    where(
        "awaitEnd",
        times,
        () -> {
          Scope scope = Scope.open();
          Task<?> task = scope.fork(() -> Time.sleep(Duration.ofDays(1)));
          times.set(1);
          scope.close();
          assertThat(times).hasValue(0);
          assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
          assertThat(scope.toString()).contains("CLOSED, 0 forked");
          assertThat(Scope.timeLeft()).isEmpty();
        });
  }

  @Test
  void aForkForWhichThereIsNoRoomGivesItsPermitBack() throws Exception {
    AtomicInteger times = new AtomicInteger();
    where(
        "hasEnded",
        times,
        () ->
            Scope.run(
                scope -> {
                  scope.limit(1);
                  // So many that it is looked who is gone before there is room for one more.
                  for (int i = 0; i < 1_024; i++) {
                    scope.fork(() -> 42).await();
                  }
                  times.set(1);
                  assertThatThrownBy(() -> scope.fork(() -> 42)).isSameAs(noRoom);
                  assertThat(scope.tryFork(() -> 42)).isPresent();
                  scope.join();
                }));
  }

  @Test
  void aTaskWhoseOwnEndFailsEndsWithThat() throws Exception {
    AtomicInteger times = new AtomicInteger(1);
    where(
        "interrupt",
        times,
        () ->
            assertThatThrownBy(
                    () ->
                        Scope.run(
                            scope -> {
                              scope.limit(1);
                              scope.fork(() -> leaveOpen(times));
                              scope.join();
                            }))
                .isSameAs(noRoom));
  }

  /** What is left open ends by itself once the attempt to interrupt it has failed. */
  private static void leaveOpen(AtomicInteger times) throws Exception {
    Event running = new Event();
    Scope.open()
        .fork(
            () -> {
              running.set();
              while (times.get() > 0) {
                Time.sleep(Duration.ofMillis(1));
              }
            });
    running.await();
  }

  /** Closed by an interrupt, which it does not like. */
  private static final class Touchy extends AbstractInterruptibleChannel {
    void blockUntil(Event event) throws Exception {
      begin();
      try {
        event.awaitUninterruptibly();
      } finally {
        end(true);
      }
    }

    @Override
    protected void implCloseChannel() {
      throw new IllegalStateException("does not want to be closed");
    }
  }

  @Test
  void allAreInterruptedAlsoIfForeignCodeFailsInTheMiddleAndSoDoesWhoeverHandlesThat() throws Exception {
    Event blocked = new Event();
    Event sleeping = new Event();
    Event release = new Event();
    Thread owner = Thread.currentThread();
    Thread.UncaughtExceptionHandler before = owner.getUncaughtExceptionHandler();
    owner.setUncaughtExceptionHandler(
        (thread, error) -> {
          throw new IllegalStateException("the handler fails too");
        });
    Scope scope = Scope.open();
    Task<?> sleeper;
    try {
      scope.fork(
          () -> {
            blocked.set();
            new Touchy().blockUntil(release);
          });
      sleeper =
          scope.fork(
              () -> {
                try {
                  sleeping.set();
                  Time.sleep(Duration.ofDays(1));
                } finally {
                  release.set();
                }
              });
      blocked.await();
      sleeping.await();
      scope.close();
    } finally {
      owner.setUncaughtExceptionHandler(before);
      release.set();
    }
    assertThat(sleeper.state()).isEqualTo(TaskState.CANCELLED);
    assertThat(scope.toString()).contains("CLOSED");
  }
}

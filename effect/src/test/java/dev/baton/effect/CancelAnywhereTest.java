// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.acquire;
import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.complete;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.race;
import static dev.baton.effect.Effects.release;
import static dev.baton.effect.Effects.semaphore;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.tryAcquire;
import static dev.baton.effect.Effects.withPermit;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.check.Check;
import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A task is cancelled at any of its switch points, whatever it does there: it is told once, cleans up once, with effects that work,
 * loses no permit, and whoever waits for it is told that it was cancelled, or its value if it was faster.
 */
class CancelAnywhereTest extends OnBothEngines {

  record Ping(int n) implements Effect<Integer> {}

  /** What a task does that is cancelled meanwhile. Another one uses the same semaphore, of one permit. */
  @FunctionalInterface
  interface Body {
    Object run(Semaphore one) throws Exception;
  }

  private static void second() {
    sleep(Duration.ofSeconds(1));
  }

  private void cancelledAnywhere(Body body, UnaryOperator<Check> how) {
    how.apply(runner().check(() -> program(body)).engine(engine)).run();
  }

  private void cancelledAnywhere(Body body) {
    cancelledAnywhere(body, check -> check.seeds(100));
    cancelledAnywhere(body, check -> check.exhaustive(1).seeds(200));
  }

  private static Object program(Body body) {
    Semaphore one = semaphore(1);
    Semaphore other = semaphore(1);
    int[] told = new int[1];
    int[] cleaned = new int[1];
    Task<Object> task =
        spawn(
            "cancelled",
            () -> {
              try {
                return body.run(one);
              } catch (TaskCancelledException | InterruptedException e) {
                told[0]++;
                throw e;
              } finally {
                // If it was told before, and only then, nothing ends any of these.
                tell("clean-up");
                withPermit(other, () -> { second(); return null; });
                assertThat(join(spawn(() -> 7))).isEqualTo(7);
                assertThat(attempt(() -> { yieldNow(); return 1; })).isEqualTo(new Result.Ok<>(1));
                cleaned[0]++;
              }
            });
    Task<Object> rival = spawn("rival", () -> withPermit(one, () -> { tell("rival"); return null; }));
    Task<Object> canceller =
        spawn(
            "canceller",
            () -> {
              second();
              task.cancel();
              task.cancel();
              return null;
            });
    Task<Object> hasty =
        spawn(
            "hasty",
            () -> {
              task.cancel();
              return null;
            });
    Result<Object> end = attempt(() -> join(task));
    assertThat(told[0]).isLessThanOrEqualTo(1);
    assertThat(cleaned[0]).isBetween(told[0], 1);
    switch (end) {
      case Result.Ok<Object> ok -> assertThat(task.state()).isEqualTo(TaskState.COMPLETED);
      case Result.Err<Object>(Throwable error) -> {
        assertThat(error).isInstanceOf(TaskCancelledException.class);
        assertThat(task.state()).isEqualTo(TaskState.CANCELLED);
      }
    }
    gather(rival, canceller, hasty);
    assertThat(one.available()).isEqualTo(1);
    assertThat(other.available()).isEqualTo(1);
    return null;
  }

  @Test
  void inPermits() {
    cancelledAnywhere(
        one -> {
          acquire(one);
          try {
            tell("inside");
            second();
          } finally {
            release(one);
          }
          return withPermit(one, () -> "again");
        });
    cancelledAnywhere(
        one -> {
          if (tryAcquire(one, Duration.ofSeconds(1))) {
            release(one);
          }
          if (tryAcquire(one)) {
            release(one);
          }
          return null;
        });
  }

  @Test
  void inPlainPermits() {
    cancelledAnywhere(
        one -> {
          one.acquire();
          try {
            tell("inside");
          } finally {
            one.release();
          }
          one.acquireUninterruptibly();
          one.release();
          return null;
        });
  }

  @Test
  void inWaits() {
    cancelledAnywhere(
        one -> {
          Promise<Integer> promise = promise();
          Task<Object> child = spawn(() -> { second(); complete(promise, 1); return null; });
          int first = join(promise.future());
          gather(child, promise.future());
          race(spawn(() -> { second(); return 1; }), spawn(() -> 2));
          return first;
        });
  }

  @Test
  void inAttemptsAndScopes() {
    cancelledAnywhere(
        one -> {
          attempt(() -> { second(); return withPermit(one, () -> 1); });
          Effects.local(Map.of("key", 1), () -> Effects.listen(() -> { tell("heard"); return Effects.<Integer>ask("key"); }));
          put("n", 1);
          return Effects.<Integer>modify("n", n -> n + 1);
        });
  }

  @Test
  void inTimeouts() {
    cancelledAnywhere(one -> Timeout.after(Duration.ofSeconds(3)).run(() -> withPermit(one, () -> { second(); return 1; })));
    cancelledAnywhere(
        one -> {
          Result<Object> late = attempt(() -> Timeout.after(Duration.ofSeconds(1)).run(() -> withPermit(one, () -> { sleep(Duration.ofSeconds(2)); return 1; })));
          return late.isOk();
        });
  }

  @Test
  void inRetries() {
    cancelledAnywhere(
        one -> {
          int[] attempts = new int[1];
          return Retry.attempts(3)
              .delay(Duration.ofSeconds(1))
              .run(
                  () ->
                      withPermit(
                          one,
                          () -> {
                            if (++attempts[0] < 3) {
                              throw new IOException("again");
                            }
                            return attempts[0];
                          }));
        });
  }

  @Test
  void inResumableHandlers() {
    cancelledAnywhere(
        one ->
            Effects.<Integer, Ping, Object>handle(
                Ping.class,
                (ping, rest) -> {
                  tell("before");
                  Object end = withPermit(one, () -> rest.resume(ping.n()));
                  tell("after");
                  return end;
                },
                () -> {
                  int n = perform(new Ping(1));
                  second();
                  return n;
                }));
    cancelledAnywhere(
        one ->
            Effects.<Integer, Ping, Object>handle(
                Ping.class,
                (ping, rest) -> {
                  second();
                  return ping.n() == 1 ? rest.fail(new IOException("refused")) : "ended";
                },
                () -> {
                  try {
                    return withPermit(one, () -> perform(new Ping(1)));
                  } catch (Exception refused) {
                    if (!(refused instanceof IOException)) {
                      throw refused;
                    }
                    return withPermit(one, () -> perform(new Ping(2)));
                  }
                }));
  }

  @Test
  void inHandlersThatPassOn() {
    Handlers outer = Handlers.of(Ping.class, ping -> { second(); return ping.n(); });
    Handlers inner = Handlers.<Integer, Ping, Object>resuming(Ping.class, (ping, rest) -> rest.pass());
    cancelledAnywhere(one -> handle(outer.with(inner), () -> withPermit(one, () -> perform(new Ping(1)))));
    cancelledAnywhere(
        one -> handle(outer.with(inner).with(Handlers.observing(effect -> {})), () -> join(spawn(() -> perform(new Ping(2))))));
  }

  @Test
  void inAwaitedWork() {
    cancelledAnywhere(one -> await(() -> 1) + await(() -> 2));
  }

  @Test
  void inARunOfItsOwn() {
    cancelledAnywhere(one -> Effects.run(() -> withPermit(one, () -> { second(); return 1; })).isOk());
  }
}

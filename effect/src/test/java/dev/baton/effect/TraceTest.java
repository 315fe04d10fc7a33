// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.observe;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.put;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import dev.baton.sync.Result;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceTest extends OnBothEngines {

  record Fetch(String url) implements Effect<String> {}

  private final Trace trace = Trace.create();

  private <T> RunResult<T> traced(Program<T> program) {
    return runner().handlers(Handlers.observing(trace).with(Handlers.defaults())).run(program);
  }

  @Test
  void theTreeShowsWhatWasPerformedWhenAndOnTheWayToWhat() {
    traced(
        () -> {
          put("k", 1);
          Task<Integer> worker =
              spawn(
                  "worker",
                  () -> {
                    sleep(Duration.ofSeconds(2));
                    return 7;
                  });
          attempt(
              () -> {
                sleep(Duration.ofMillis(1_500));
                throw new IllegalStateException("no");
              });
          return join(worker);
        });
    assertThat(trace.toString().lines())
        .containsExactly(
            "main",
            "  +0 ms  0 ms  Put[key=k, value=1]",
            "  +0 ms  0 ms  Spawn[program=…, name=worker, priority=null] = Task[worker, PENDING]",
            "    worker",
            "      +0 ms  2000 ms  Delay[duration=PT2S]",
            "  +0 ms  1500 ms  Try[program=…] = Err[error=java.lang.IllegalStateException: no]",
            "    +0 ms  1500 ms  Delay[duration=PT1.5S]",
            "  +1500 ms  500 ms  Wait[waitable=Task[worker, BLOCKED]] = 7");
  }

  @Test
  void outsideOfAllHandlersItSeesWhatTheyPerformToo() {
    traced(() -> await(() -> 42));
    List<Trace.Call> awaited = trace.calls().getFirst().children();
    assertThat(awaited).hasSize(1);
    assertThat(awaited.getFirst().answer()).isEqualTo("= 42");
    assertThat(awaited.getFirst().children())
        .extracting(call -> call.what().substring(0, call.what().indexOf('[')))
        .containsExactly("CreateExternalPromise", "Wait");
  }

  @Test
  void errorsAndWhatWasNeverAnsweredAreShown() {
    traced(
        () -> {
          attempt(() -> perform(new Fetch("/")));
          Task<Object> stuck = spawn("stuck", () -> join(promise().future()));
          Effects.yieldNow();
          Effects.yieldNow();
          Effects.yieldNow();
          assertThat(trace.toString()).contains("no answer  Wait");
          stuck.cancel();
          return null;
        });
    assertThat(trace.toString()).contains("Fetch[url=/] ! dev.baton.effect.UnhandledEffectException: No handler answers");
    assertThat(trace.toString()).contains("! dev.baton.effect.TaskCancelledException: stuck was cancelled.");
  }

  @Test
  void anEffectThatAnObserverRefusesLeavesTheRestInOrder() {
    Handlers refusing =
        Handlers.observing(
            effect -> {
              if (effect instanceof Fetch) {
                throw new IllegalStateException("refused");
              }
            });
    runner()
        .handlers(refusing.with(Handlers.defaults()).with(Handlers.observing(trace)))
        .run(
            () -> {
              attempt(() -> perform(new Fetch("/")));
              put("k", 2);
              return null;
            });
    assertThat(trace.calls().getFirst().children()).extracting(Trace.Call::what).containsExactly("Try[program=…]", "Put[key=k, value=2]");
  }

  @Test
  void itKeepsTextAndNotWhatTasksHaveReturned() {
    List<WeakReference<Object>> returned = new ArrayList<>();
    traced(
        () -> {
          join(
              spawn(
                  () -> {
                    Object value = new Object();
                    returned.add(new WeakReference<>(value));
                    return value;
                  }));
          return null;
        });
    Heap.used();
    assertThat(returned.getFirst().get()).isNull();
    assertThat(trace.toString()).contains("Spawn").contains("Wait");
  }

  @Test
  @SuppressWarnings({"rawtypes", "unchecked"}) // the class of an effect says nothing about its type arguments
  void aTaskWhoseSpawnWasPassedOnIsShownOnce() {
    Handlers passingOn = Handlers.of(Spawn.class, (Spawn spawn) -> perform(spawn));
    runner()
        .handlers(Handlers.observing(trace).with(Handlers.defaults()).with(passingOn))
        .run(() -> join(spawn("worker", () -> { put("k", 1); return null; })));
    assertThat(trace.toString().lines()).filteredOn(line -> line.contains("Put[")).hasSize(1);
    assertThat(trace.toString().lines().map(String::strip)).containsOnlyOnce("worker");
  }

  @Test
  void ofTasksEachSpawnedByTheOneBeforeThereMayBeMany() {
    traced(
        () -> {
          spawnOneAfterTheOther(2_000);
          sleep(Duration.ofSeconds(1));
          return null;
        });
    assertThat(trace.toString().lines()).filteredOn(line -> line.contains("Spawn[")).hasSize(2_000);
  }

  private static void spawnOneAfterTheOther(int n) {
    if (n > 0) {
      spawn(() -> { spawnOneAfterTheOther(n - 1); return null; });
    }
  }

  @Test
  void observersAreToldOfAnswersOutermostFirstAndMayThrow() throws Exception {
    List<String> told = new ArrayList<>();
    class Named implements EffectObserver {
      private final String name;

      Named(String name) {
        this.name = name;
      }

      @Override
      public void performed(Effect<?> effect) {
        told.add(name + " before");
      }

      @Override
      public void answered(Effect<?> effect, Result<?> answer) throws Exception {
        told.add(name + " after " + answer);
        if (effect instanceof Put(Object key, Object _) && key.equals("forbidden")) {
          throw new IllegalStateException("forbidden");
        }
      }
    }

    value(
        () ->
            observe(
                new Named("outer"),
                () ->
                    observe(
                        new Named("inner"),
                        () -> {
                          Effects.put("a", 1);
                          assertThat(told)
                              .containsExactly("inner before", "outer before", "outer after Ok[value=null]", "inner after Ok[value=null]");
                          assertThatThrownBy(() -> put("forbidden", 1)).hasMessage("forbidden");
                          return null;
                        })));
  }
}

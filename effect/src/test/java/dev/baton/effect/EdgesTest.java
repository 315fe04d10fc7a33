// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.externalPromise;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.Cooperative;
import dev.baton.runtime.DeadlockException;
import dev.baton.runtime.Policy;
import dev.baton.runtime.Priority;
import dev.baton.sync.Waitable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens at the edges: as a run begins, as a program is unwound, and to what an effect was made of. */
class EdgesTest extends OnBothEngines {

  private record Question(int number) implements Effect<Integer> {}

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void whoeverWaitsForSeveralNoticesThatNothingOutsideIsAwaitedAnyMore() {
    RunResult<Object> result =
        Runner.create()
            .engine(engine)
            .stallAfter(Duration.ofHours(1))
            .run(
                () -> {
                  ExternalPromise<Integer> outside = externalPromise();
                  Waitable<Integer> inside = Effects.<Integer>promise().future();
                  spawn(() -> { Thread.startVirtualThread(() -> outside.complete(1)); return 0; });
                  return Effects.gather(inside, outside.future());
                });
    assertThat(result.error()).containsInstanceOf(DeadlockException.class);
  }

  @Test
  void anAbortOnTheWayOutOfAnAbortEndsTheProgramToo() throws Exception {
    Program<Object> closing =
        () -> {
          try {
            return perform(new Question(1));
          } finally {
            perform(new Question(2));
          }
        };
    assertThat(this.<Object>value(() -> Effects.<Integer, Question, Object>handle(
            Question.class, (question, rest) -> "aborted by " + question.number(), closing)))
        .isEqualTo("aborted by 2");
  }

  @Test
  void anInterruptOfTheCallerAsTheRunBeginsIsACancellation() {
    Thread caller = Thread.currentThread();
    Policy interrupting =
        () -> {
          caller.interrupt();
          while (caller.isInterrupted()) {
            Thread.onSpinWait();
          }
          return Policy.roundRobin().begin();
        };
    for (int i = 0; i < 20; i++) {
      RunResult<Object> result =
          Runner.create()
              .engine(engine)
              .policy(interrupting)
              .run(
                  () -> {
                    while (true) {
                      Effects.now();
                    }
                  });
      assertThat(Thread.interrupted()).isTrue();
      assertThat(result.error()).containsInstanceOf(TaskCancelledException.class);
    }
  }

  @Test
  void aLongTextIsTracedInNoTime() {
    Trace trace = Trace.create();
    long begun = System.nanoTime();
    Effects.run(() -> { Effects.tell("a".repeat(200_000)); return 0; }, Handlers.observing(trace).with(Handlers.defaults()));
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
    assertThat(trace.toString()).contains("aaa…");
  }

  @Test
  void aPriorityThatAHandlerSetsIsThatOfTheTask() throws Exception {
    assertThat(this.<Object>value(() -> Effects.<Integer, Question, Object>handle(
            Question.class,
            (question, rest) -> {
              Cooperative.setPriority(Priority.HIGH);
              return rest.resume(1);
            },
            () -> {
              perform(new Question(1));
              return Cooperative.priority();
            })))
        .isEqualTo(Priority.HIGH);
  }

  @Test
  void aCheckFindsATaskThatFailsAndNobodyNotices() {
    assertThat(
            runner()
                .check(() -> { spawn(() -> { throw new IllegalStateException("lost"); }); sleep(Duration.ofSeconds(1)); return 1; })
                .seeds(5)
                .search()
                .passed())
        .isFalse();
  }

  @Test
  void whatAnEffectWasMadeOfCannotBeChanged() throws Exception {
    value(
        () -> {
          List<Waitable<Object>> given = new ArrayList<>(List.of(promise().future()));
          Gather<Object> gather = new Gather<>(given);
          Race<Object> race = new Race<>(given);
          Map<Object, Object> values = new HashMap<>(Map.of("key", 1));
          Local<Object> local = new Local<>(values, () -> Effects.<Integer>ask("key"));
          given.clear();
          values.put("key", 2);
          assertThat(gather.waitables()).hasSize(1).isUnmodifiable();
          assertThat(race.waitables()).hasSize(1).isUnmodifiable();
          assertThat(Effects.<Object>perform(local)).isEqualTo(1);
          return null;
        });
  }

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void aSettingThatIsMissingIsNamed() {
    assertThatThrownBy(() -> Runner.create().engine(null)).isInstanceOf(NullPointerException.class).hasMessage("engine");
    assertThatThrownBy(() -> Runner.create().stallAfter(null)).isInstanceOf(NullPointerException.class).hasMessage("time");
  }
}

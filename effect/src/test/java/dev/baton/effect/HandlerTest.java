// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.handle;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.observe;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.promise;
import static dev.baton.effect.Effects.spawn;
import static dev.baton.effect.Effects.tell;
import static dev.baton.effect.Effects.yieldNow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.scope.Task;
import dev.baton.scope.TaskState;
import dev.baton.sync.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Handlers of one's own: plain and resumable ones, and observers. */
class HandlerTest extends OnBothEngines {

  record Ping(int n) implements Effect<Integer> {}

  record Pong(String text) implements Effect<String> {}

  private static Handlers answering(int answer) {
    return Handlers.of(Ping.class, ping -> answer);
  }

  // ---- plain ----

  @Test
  void case100_aPlainHandlerAnswersEachPerform() throws Exception {
    List<Integer> asked = new ArrayList<>();
    int sum =
        value(
            () ->
                handle(
                    Handlers.of(Ping.class, ping -> { asked.add(ping.n()); return ping.n() * 10; }),
                    () -> perform(new Ping(1)) + perform(new Ping(2))));
    assertThat(sum).isEqualTo(30);
    assertThat(asked).containsExactly(1, 2);
  }

  @Test
  void case100_handlersGivenToTheRun() throws Exception {
    assertThat(Effects.run(() -> perform(new Ping(1)), Handlers.defaults().with(answering(7))).value()).isEqualTo(7);
  }

  @Test
  void whoeverAnswersAsksAsThePerformerWould() throws Exception {
    Handlers named = Handlers.of(Ping.class, ping -> Effects.<Integer>ask("key"));
    assertThat(value(() -> handle(named, () -> Effects.local(Map.of("key", 3), () -> perform(new Ping(0)))))).isEqualTo(3);
  }

  @Test
  void whoHasForgottenOurOwnHandlersIsToldWhereTheyAre() {
    assertThat(Effects.run(() -> Effects.spawn(() -> 1), answering(1)).error().orElseThrow())
        .isInstanceOf(UnhandledEffectException.class)
        .hasMessageContaining("Handlers.defaults().with(");
    assertThat(Effects.run(() -> perform(new Pong("")), answering(1)).error().orElseThrow())
        .isInstanceOf(UnhandledEffectException.class)
        .hasMessageContaining("Give the run a handler for this class");
  }

  @Test
  void case101_theInnermostAnswersAndAskingAgainGoesOutwards() throws Exception {
    value(
        () -> {
          assertThat(handle(answering(1), () -> handle(answering(2), () -> perform(new Ping(0))))).isEqualTo(2);
          Handlers more = Handlers.of(Ping.class, ping -> perform(ping) + 100);
          assertThat(handle(Handlers.stack(List.of(answering(1), more)), () -> perform(new Ping(0)) + perform(new Ping(0))))
              .isEqualTo(202);
          assertThat(handle(Handlers.stack(List.of(more, answering(1))), () -> perform(new Ping(0)))).isEqualTo(1);
          return null;
        });
  }

  @Test
  void case104_whatAHandlerThrowsSurfacesWhereTheEffectWasPerformed() throws Exception {
    value(
        () -> {
          Handlers failing = Handlers.of(Ping.class, ping -> { throw new IOException("plain"); });
          handle(
              failing,
              () -> {
                assertThatThrownBy(() -> perform(new Ping(0))).isInstanceOf(IOException.class).hasMessage("plain");
                return null;
              });
          List<String> landed = new ArrayList<>();
          Handlers delegating =
              Handlers.of(
                  Ping.class,
                  ping -> {
                    try {
                      return perform(ping);
                    } catch (Exception e) {
                      landed.add(e.getMessage());
                      return -1;
                    }
                  });
          assertThat(handle(failing.with(delegating), () -> perform(new Ping(0)))).isEqualTo(-1);
          assertThat(landed).containsExactly("plain");
          Handlers lonely = Handlers.of(Ping.class, ping -> perform(ping));
          handle(
              lonely,
              () -> {
                assertThatThrownBy(() -> perform(new Ping(0))).isInstanceOf(UnhandledEffectException.class);
                return null;
              });
          return null;
        });
  }

  @Test
  void case105_anEffectNobodyAnswersListsWhoIsInScope() throws Exception {
    value(
        () ->
            handle(
                answering(1).named("outer"),
                () ->
                    handle(
                        Handlers.observing(effect -> {}),
                        () -> {
                          assertThatThrownBy(() -> perform(new Pong("?")))
                              .isInstanceOfSatisfying(
                                  UnhandledEffectException.class,
                                  e -> {
                                    assertThat(e.effect()).isEqualTo(new Pong("?"));
                                    assertThat(e.handlers()).startsWith("observer", "outer [Ping]");
                                    assertThat(e.handlers().getLast()).startsWith("built-in");
                                  });
                          return null;
                        })));
  }

  @Test
  void case105_aSetThatObservesAndAnswersIsListedWithWhatItAnswers() {
    Handlers both = Handlers.observing(effect -> {}).and(Ping.class, ping -> 1).named("both");
    assertThat(error(() -> handle(both, () -> perform(new Pong("?")))))
        .isInstanceOfSatisfying(
            UnhandledEffectException.class, e -> assertThat(e.handlers()).startsWith("both observer and [Ping]"));
  }

  @Test
  void case105_allPass() throws Exception {
    Handlers passing = Handlers.<Integer, Ping, Object>resuming(Ping.class, (ping, resumption) -> resumption.pass());
    value(
        () ->
            handle(
                passing.with(passing.named("inner")),
                () -> {
                  assertThatThrownBy(() -> perform(new Ping(0)))
                      .isInstanceOfSatisfying(
                          UnhandledEffectException.class, e -> assertThat(e.handlers()).startsWith("inner [Ping]", "[Ping]"));
                  return null;
                }));
  }

  @Test
  void case107_observers() throws Exception {
    value(
        () -> {
          List<Object> seen = new ArrayList<>();
          Handlers asking = Handlers.of(Pong.class, pong -> "pong " + perform(new Ping(5)));
          String answer =
              handle(
                  answering(1),
                  () -> observe(seen::add, () -> handle(asking, () -> perform(new Pong("x")))));
          assertThat(answer).isEqualTo("pong 1");
          assertThat(seen).containsExactly(new Pong("x"), new Ping(5));

          List<Object> below = new ArrayList<>();
          handle(answering(1).with(asking), () -> observe(below::add, () -> perform(new Pong("y"))));
          assertThat(below).containsExactly(new Pong("y"));

          List<Integer> performed = new ArrayList<>();
          handle(
              Handlers.of(Ping.class, ping -> { performed.add(ping.n()); return 0; }),
              () ->
                  observe(
                      effect -> { throw new IOException("observer"); },
                      () -> {
                        assertThatThrownBy(() -> perform(new Ping(9))).isInstanceOf(IOException.class).hasMessage("observer");
                        return null;
                      }));
          assertThat(performed).isEmpty();
          return null;
        });
  }

  @Test
  void case108_oneHandlerForAClassInASet() throws Exception {
    assertThatThrownBy(() -> answering(1).and(Ping.class, ping -> 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Ping");
    assertThatThrownBy(() -> answering(1).<Integer, Ping, Object>andResuming(Ping.class, (ping, r) -> r.resume(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(this.<Integer>value(() -> handle(Handlers.none(), () -> handle(answering(3), () -> perform(new Ping(0))))))
        .isEqualTo(3);
    assertThat(this.<Integer>value(() -> handle(Handlers.stack(List.of()), () -> 4))).isEqualTo(4);
  }

  @Test
  void ownHandlersComeBeforeTheBuiltInOnes() throws Exception {
    List<Object> told = new ArrayList<>();
    RunResult<Object> result =
        result(
            () ->
                handle(
                    Handlers.of(Tell.class, tell -> { told.add(tell.message()); return null; }),
                    () -> {
                      tell("caught");
                      return null;
                    }));
    assertThat(told).containsExactly("caught");
    assertThat(result.log()).isEmpty();
  }

  // ---- resumable ----

  @Test
  void case100_aResumableHandlerIsDeepAndSeesTheEnd() throws Exception {
    List<String> order = new ArrayList<>();
    String value =
        value(
            () ->
                handle(
                    Ping.class,
                    (Ping ping, Resumption<Integer, String> rest) -> {
                      order.add("asked " + ping.n());
                      String end = rest.resume(ping.n() * 10);
                      order.add("ended " + ping.n());
                      return end + ping.n();
                    },
                    () -> {
                      int sum = perform(new Ping(1)) + perform(new Ping(2));
                      order.add("sum " + sum);
                      return "end";
                    }));
    assertThat(value).isEqualTo("end21");
    assertThat(order).containsExactly("asked 1", "asked 2", "sum 30", "ended 2", "ended 1");
  }

  @Test
  void case101_passingAndThenServingTheNext() throws Exception {
    int value =
        value(
            () ->
                handle(
                    answering(1),
                    () ->
                        Effects.<Integer, Ping, Integer>handle(
                            Ping.class,
                            (ping, rest) -> ping.n() == 0 ? rest.pass() : rest.resume(50),
                            () -> perform(new Ping(0)) + perform(new Ping(1)) + perform(new Ping(0)))));
    assertThat(value).isEqualTo(52);
  }

  /** A resumable handler of effects of {@code type} that leaves each to those outside. */
  @SuppressWarnings({"rawtypes", "unchecked"}) // the class of an effect says nothing about its type arguments
  private static Handlers passing(Class<? extends Effect> type) {
    return Handlers.resuming((Class<Effect<Object>>) (Class) type, (effect, rest) -> rest.pass());
  }

  @Test
  void case23_aTaskWhoseSpawnWasPassedOnInheritsAllThatIsInScopeWhereItIsSpawned() throws Exception {
    List<String> seen = new ArrayList<>();
    int answer =
        value(
            () ->
                handle(
                    answering(1).with(passing(Spawn.class)).with(passing(Spawn.class)),
                    () ->
                        handle(
                            answering(2),
                            () ->
                                observe(
                                    effect -> seen.add(effect.getClass().getSimpleName()),
                                    () -> join(spawn(() -> join(spawn(() -> perform(new Ping(0))))))))));
    assertThat(answer).isEqualTo(2);
    assertThat(seen).containsExactly("Spawn", "Wait", "Spawn", "Wait", "Ping");
  }

  @Test
  void case101_aProgramThatWasPassedOnRunsInTheScopeItStandsIn() throws Exception {
    Program<Integer> body = () -> perform(new Ping(0));
    Handlers around = passing(Try.class).with(passing(Local.class)).with(passing(Listen.class)).with(answering(2));
    value(
        () ->
            handle(
                around,
                () -> {
                  assertThat(Effects.attempt(body)).isEqualTo(new Result.Ok<>(2));
                  assertThat(Effects.attempt(() -> Effects.attempt(body))).isEqualTo(new Result.Ok<>(new Result.Ok<>(2)));
                  assertThat(Effects.<Integer>local(Map.of("key", 3), () -> body.run() + Effects.<Integer>ask("key"))).isEqualTo(5);
                  assertThat(Effects.listen(body).value()).isEqualTo(2);
                  assertThat(perform(new Ping(0))).isEqualTo(2);
                  return null;
                }));
  }

  @Test
  void anAbortInsideOfAProgramThatWasPassedOnEndsWhatItsOwnHandlerHandles() throws Exception {
    List<String> order = new ArrayList<>();
    Handlers both = passing(Try.class).<Integer, Ping, Object>andResuming(Ping.class, (ping, rest) -> "aborted");
    Object value =
        value(
            () ->
                handle(
                    both,
                    () -> {
                      try {
                        Effects.attempt(() -> Effects.attempt(() -> perform(new Ping(0))));
                        return "not reached";
                      } finally {
                        order.add("program");
                      }
                    }));
    assertThat(value).isEqualTo("aborted");
    assertThat(order).containsExactly("program");
  }

  @Test
  void case104_aThrowBeforeResumeLandsAtThePerformAndAfterItHandleThrows() throws Exception {
    value(
        () -> {
          String caught =
              Effects.<Integer, Ping, String>handle(
                  Ping.class,
                  (ping, rest) -> { throw new IOException("before"); },
                  () -> {
                    try {
                      perform(new Ping(0));
                      return "not reached";
                    } catch (Exception e) {
                      return e.getMessage();
                    }
                  });
          assertThat(caught).isEqualTo("before");
          assertThatThrownBy(
                  () ->
                      Effects.<Integer, Ping, String>handle(
                          Ping.class,
                          (ping, rest) -> {
                            rest.resume(1);
                            throw new IOException("after");
                          },
                          () -> "done " + perform(new Ping(0))))
              .isInstanceOf(IOException.class)
              .hasMessage("after");
          return null;
        });
  }

  @Test
  void failingAProgramThrowsAtThePerform() throws Exception {
    String value =
        value(
            () ->
                Effects.<Integer, Ping, String>handle(
                    Ping.class,
                    (ping, rest) -> rest.fail(new IOException("refused")) + ", seen by the handler",
                    () -> {
                      try {
                        return "answer " + perform(new Ping(0));
                      } catch (Exception e) {
                        return e.getMessage();
                      }
                    }));
    assertThat(value).isEqualTo("refused, seen by the handler");
  }

  @Test
  void returningWithoutResumingEndsTheProgramAndRunsItsFinallyBlocks() throws Exception {
    List<String> order = new ArrayList<>();
    String value =
        value(
            () ->
                Effects.<Integer, Ping, String>handle(
                    Ping.class,
                    (ping, rest) -> ping.n() == 1 ? "first saw: " + rest.resume(0) : "aborted",
                    () -> {
                      try {
                        perform(new Ping(1));
                        try {
                          perform(new Ping(2));
                          order.add("not reached");
                        } finally {
                          tell("an effect on the way out");
                          order.add("inner");
                        }
                      } catch (RuntimeException e) {
                        order.add("not caught");
                      } finally {
                        order.add("outer");
                      }
                      return "not returned";
                    }));
    assertThat(value).isEqualTo("first saw: aborted");
    assertThat(order).containsExactly("inner", "outer");
  }

  @Test
  void anAbortCannotBeSwallowedByTheProgramNorByAnAttempt() throws Exception {
    String swallowed =
        value(
            () ->
                Effects.<Integer, Ping, String>handle(
                    Ping.class,
                    (ping, rest) -> "aborted",
                    () -> {
                      try {
                        perform(new Ping(2));
                      } catch (Throwable t) {
                        return "swallowed";
                      }
                      return "not reached";
                    }));
    assertThat(swallowed).isEqualTo("aborted");
    String attempted =
        value(
            () ->
                Effects.<Integer, Ping, String>handle(
                    Ping.class,
                    (ping, rest) -> "aborted",
                    () -> {
                      Effects.attempt(() -> perform(new Ping(1)));
                      return "not reached";
                    }));
    assertThat(attempted).isEqualTo("aborted");
  }

  @Test
  void anOuterAbortGoesThroughTheInnerHandlers() throws Exception {
    List<String> order = new ArrayList<>();
    String value =
        value(
            () ->
                Effects.<Integer, Ping, String>handle(
                    Ping.class,
                    (ping, rest) -> "outer",
                    () ->
                        Effects.<String, Pong, String>handle(
                            Pong.class,
                            (pong, rest) -> {
                              try {
                                return rest.resume("" + (pong.text().isEmpty() ? perform(new Ping(0)) : 1));
                              } finally {
                                order.add("handler of '" + pong.text() + "'");
                              }
                            },
                            () -> {
                              try {
                                perform(new Pong("first"));
                                return perform(new Pong(""));
                              } finally {
                                order.add("program");
                              }
                            })));
    assertThat(value).isEqualTo("outer");
    assertThat(order).containsExactly("handler of ''", "program", "handler of 'first'");
  }

  @Test
  void aResumptionIsUsedOnceAndByItsHandler() throws Exception {
    AtomicReference<Resumption<Integer, Object>> kept = new AtomicReference<>();
    value(
        () -> {
          assertThatThrownBy(
                  () ->
                      Effects.<Integer, Ping, Object>handle(
                          Ping.class,
                          (ping, rest) -> {
                            rest.resume(1);
                            return rest.resume(2);
                          },
                          () -> perform(new Ping(0))))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("used before");
          Effects.<Integer, Ping, Object>handle(
              Ping.class,
              (ping, rest) -> {
                kept.set(rest);
                return "aborted";
              },
              () -> perform(new Ping(0)));
          assertThatThrownBy(() -> kept.get().resume(1)).isInstanceOf(IllegalStateException.class).hasMessageContaining("has returned");
          return null;
        });
  }

  @Test
  void aResumableHandlerLetsNobodyElseHaveATurn() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () ->
            Effects.<Integer, Ping, Object>handle(
                Ping.class,
                (ping, rest) -> {
                  order.add("handler");
                  return rest.resume(1);
                },
                () -> {
                  Task<Boolean> other = spawn(() -> { yieldNow(); return order.add("other"); });
                  perform(new Ping(0));
                  order.add("program");
                  return join(other);
                }));
    assertThat(order).containsExactly("handler", "program", "other");
  }

  @Test
  void spawnedTasksInheritResumableHandlersAndAnAbortEndsOnlyTheChild() throws Exception {
    value(
        () ->
            Effects.<Integer, Ping, Object>handle(
                Ping.class,
                (ping, rest) -> ping.n() < 0 ? "aborted" : rest.resume(ping.n() + 1),
                () -> {
                  Task<Object> resumed = spawn(() -> perform(new Ping(1)) + perform(new Ping(2)));
                  Task<Object> aborted = spawn(() -> { perform(new Ping(-1)); return "not reached"; });
                  assertThat(join(resumed)).isEqualTo(5);
                  assertThat(join(aborted)).isEqualTo("aborted");
                  assertThat(aborted.state()).isEqualTo(TaskState.COMPLETED);
                  assertThat(perform(new Ping(10))).isEqualTo(11);
                  return null;
                }));
  }

  @Test
  void aHandlerThatWaitsIsCancelledWithItsTask() throws Exception {
    List<String> order = new ArrayList<>();
    value(
        () ->
            Effects.<Integer, Ping, Object>handle(
                Ping.class,
                (ping, rest) -> {
                  try {
                    join(promise().future());
                  } finally {
                    order.add("handler");
                  }
                  return rest.resume(0);
                },
                () -> {
                  Task<Object> task =
                      spawn(
                          () -> {
                            try {
                              return perform(new Ping(0));
                            } finally {
                              order.add("program");
                            }
                          });
                  letOthersRun();
                  assertThat(task.state()).isEqualTo(TaskState.BLOCKED);
                  task.cancel();
                  assertThatThrownBy(() -> join(task)).isInstanceOf(TaskCancelledException.class);
                  return null;
                }));
    assertThat(order).containsExactly("handler", "program");
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What leaves together, and when: by hand, with a server that answers when it is told to. */
@SuppressWarnings("unchecked")
class SenderTest {
  private final ArrayDeque<AsyncCommand<String, String, Object>> underWay = new ArrayDeque<>();
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private int failures;
  private long now = 1_000_000_000;

  /** The real one, but for tasks and time, which pass by hand. */
  private final Host host = proxy(Host.class, (method, arguments) -> {
    if (method.equals("start")) {
      tasks.add((Runnable) arguments[1]);
      return "task";
    }
    return method.equals("nanoTime") ? (Object) now : null;
  }, Hosts.current());

  private final RedisClusterAsyncCommands<String, String> connection = proxy(RedisClusterAsyncCommands.class, (method, arguments) -> {
    if (failures > 0) {
      failures--;
      throw new StackOverflowError("by the test");
    }
    AsyncCommand<String, String, Object> command =
        new AsyncCommand<>(
            new Command<>(
                (ProtocolKeyword) arguments[0], (CommandOutput<String, String, Object>) arguments[1], (CommandArgs<String, String>) arguments[2]));
    underWay.add(command);
    return command;
  }, "");

  private final Sender sender =
      new Sender(host, new Script(new Keys("sender"), "me", host, Long.MAX_VALUE, (sent, grants) -> {}), connection);

  @FunctionalInterface
  private interface Answer {
    /** What the method returns; null: what the real one does. */
    @Nullable Object to(String method, Object[] arguments);
  }

  private static <T> T proxy(Class<? super T> type, Answer answer, Object real) {
    return (T) Proxy.newProxyInstance(
        SenderTest.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) -> {
          Object result = answer.to(method.getName(), arguments);
          if (result != null) {
            return result;
          }
          try {
            return method.invoke(real, arguments);
          } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
          }
        });
  }

  private Call.Future ask(String operation, String id) {
    Call.Future call = new Call.Future("name", operation, id);
    sender.send(call);
    return call;
  }

  /** The oldest call under way is answered, and tells so many that they have something. */
  private void answer(int calls, int told) {
    List<Object> answers = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      answers.add(1L);
    }
    if (told > 0) {
      List<Object> grants = new ArrayList<>();
      for (int i = 0; i < told; i++) {
        grants.add("id" + i + " 1 1 4");
      }
      answers.add(grants);
    }
    underWay.remove().complete(answers);
  }

  private void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void halfOfThoseWhoWereToldLeaveInOneCallAndHalfInTheOther() {
    ask("acquire", "a");
    answer(1, 4);

    ask("release", "1");
    Call.Future newcomer = ask("acquire", "b");
    assertThat(underWay).as("until half of them have come").isEmpty();
    ask("release", "2");
    assertThat(underWay).hasSize(1);
    ask("release", "3");
    ask("acquire", "c");
    assertThat(underWay).as("until the other half has").hasSize(1);
    ask("release", "4");
    assertThat(underWay).hasSize(2);

    answer(3, 2);
    assertThat(newcomer.answer).isCompleted();
    answer(3, 2);
    ask("release", "5");
    assertThat(underWay).as("a quarter").isEmpty();
    ask("release", "6");
    assertThat(underWay).hasSize(1);
  }

  @Test
  void oneWhoKeepsWhatItHasIsNotWaitedFor() {
    ask("acquire", "a");
    answer(1, 4);
    Call.Future newcomer = ask("acquire", "b");
    assertThat(underWay).isEmpty();

    runTasks();

    assertThat(underWay).hasSize(1);
    answer(1, 0);
    runTasks();
    assertThat(newcomer.answer).isCompleted();
    ask("acquire", "c");
    assertThat(underWay).as("with nothing under way").hasSize(1);
  }

  @Test
  void whoeverComesLongAfterTheLastCallDoesNotWaitForItsAnswer() {
    ask("acquire", "a");
    answer(1, 4);
    ask("acquire", "b");
    now += 9_000_000;
    ask("acquire", "c");
    assertThat(underWay).isEmpty();
    now += 1_000_000;
    ask("acquire", "d");
    assertThat(underWay).hasSize(1);
  }

  @Test
  void aSecondCallCarriesNoLessThanTheFirst() {
    ask("acquire", "a");
    ask("acquire", "b");
    assertThat(underWay).as("one each").hasSize(2);
    ask("acquire", "c");
    ask("acquire", "d");
    ask("acquire", "e");
    answer(1, 0);
    runTasks();
    assertThat(underWay).as("b, and those who came since").hasSize(2);
    answer(1, 0);
    runTasks();

    ask("acquire", "f");
    ask("acquire", "g");
    assertThat(underWay).hasSize(1);
    ask("acquire", "h");
    assertThat(underWay).hasSize(2);
  }

  @Test
  void whatCannotBeSentFailsForThoseWhoAskedAndKeepsNobodyElse() {
    failures = 3;
    for (String id : List.of("a", "b", "c")) {
      Call.Future call = ask("acquire", id);
      assertThatThrownBy(call.answer::join).hasCauseInstanceOf(StackOverflowError.class);
    }
    runTasks();

    Call.Future call = ask("acquire", "d");
    assertThat(underWay).hasSize(1);
    answer(1, 0);
    assertThat(call.answer).isCompleted();
  }
}

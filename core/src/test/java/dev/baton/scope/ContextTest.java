// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.sync.InEveryWorld;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // nulls are given and returned on purpose
class ContextTest extends InEveryWorld {
  private static final ScopedValue<String> USER = ScopedValue.newInstance();
  private static final ScopedValue<String> TRACE = ScopedValue.newInstance();
  private static final ThreadLocal<String> LOGGED = new ThreadLocal<>();

  private static final ContextCarrier LOGGING =
      () -> {
        String text = LOGGED.get();
        return text == null ? null : body -> bind(text, body);
      };

  private static void bind(String text, Runnable body) {
    LOGGED.set(text);
    try {
      body.run();
    } finally {
      LOGGED.remove();
    }
  }

  private static String seen() {
    return USER.orElse("nobody") + " " + TRACE.orElse("untraced") + " " + LOGGED.get();
  }

  private <T> T inWorld(Callable<T> body) {
    return world().call("owner", body).result();
  }

  @Test
  void scopedValuesReachForksAndScopesInside() {
    String text =
        inWorld(
            () ->
                ScopedValue.where(USER, "ann")
                    .call(
                        () ->
                            Scope.call(
                                scope -> {
                                  scope.carry(USER, TRACE);
                                  Task<String> task =
                                      scope.fork(
                                          () ->
                                              ScopedValue.where(TRACE, "t1")
                                                  .call(
                                                      () ->
                                                          Scope.call(
                                                              inner -> {
                                                                Task<String> deep = inner.fork(ContextTest::seen);
                                                                inner.join();
                                                                return deep.result();
                                                              })));
                                  scope.join();
                                  return task.result();
                                })));
    assertThat(text).isEqualTo("ann t1 null");
  }

  @Test
  void whatIsNotCarriedIsNotSeen() {
    String text = inWorld(() -> ScopedValue.where(USER, "ann").call(ContextTest::seenInFork));
    assertThat(text).isEqualTo("nobody untraced null");
  }

  private static String seenInFork() throws Exception {
    return Scope.call(
        scope -> {
          Task<String> task = scope.fork(ContextTest::seen);
          scope.join();
          return task.result();
        });
  }

  @Test
  void aRegisteredCarrierServesAllScopesUntilItIsClosed() {
    String[] texts =
        inWorld(
            () -> {
              LOGGED.set("request 7");
              try {
                String with;
                String twice;
                ContextCarrier.Registration first = ContextCarrier.register(LOGGING);
                ContextCarrier.Registration second = ContextCarrier.register(LOGGING);
                twice = seenInFork();
                first.close();
                first.close();
                with = seenInFork();
                second.close();
                return new String[] {twice, with, seenInFork()};
              } finally {
                LOGGED.remove();
              }
            });
    assertThat(texts)
        .containsExactly("nobody untraced request 7", "nobody untraced request 7", "nobody untraced null");
  }

  @Test
  void aCarrierThatFailsAtTheForkStartsNothing() {
    inWorld(
        () -> {
          try (Scope scope = Scope.open().limit(1)) {
            scope.carry(
                () -> {
                  throw new IllegalStateException("no context");
                });
            assertThatThrownBy(() -> scope.fork(() -> 1)).hasMessage("no context");
            scope.join();
          }
          return null;
        });
  }

  @Test
  void aCarrierThatDoesNotRunTheTaskFailsIt() {
    inWorld(
        () -> {
          try (Scope scope = Scope.open().carry(() -> body -> {})) {
            scope.fork(() -> 1);
            assertThatThrownBy(scope::join)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("did not run the task");
          }
          return null;
        });
  }

  @Test
  void aCarrierThatRunsTheTaskTwiceRunsItOnce() {
    int[] runs = new int[1];
    inWorld(
        () ->
            Scope.call(
                scope -> {
                  scope.carry(
                      () ->
                          body -> {
                            body.run();
                            body.run();
                          });
                  scope.fork(() -> runs[0]++);
                  scope.join();
                  return null;
                }));
    assertThat(runs[0]).isEqualTo(1);
  }
}

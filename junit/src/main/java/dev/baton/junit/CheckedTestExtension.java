// SPDX-License-Identifier: Apache-2.0
package dev.baton.junit;

import dev.baton.check.Check;
import dev.baton.check.Failure;
import dev.baton.check.Report;
import dev.baton.check.Strategy;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Runs the body of a {@link CheckedTest} as a check, instead of once. */
final class CheckedTestExtension implements InvocationInterceptor {
  /** The schedule to run: read as a configuration parameter or system property, and published when a test fails. */
  private static final String REPLAY = "baton.replay";

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context) {
    invocation.skip();
    CheckedTest test =
        AnnotationSupport.findAnnotation(called.getExecutable(), CheckedTest.class)
            .orElseThrow(() -> new ExtensionConfigurationException("This extension is part of @CheckedTest; use that instead."));
    Report report = run(test, new TestBody(context, called), context);
    report.failure().ifPresent(failure -> publish(failure, context));
    report.orThrow();
  }

  /** They run once per schedule, with the body. */
  @Override
  public void interceptBeforeEachMethod(
      Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context) {
    invocation.skip();
  }

  /** They run once per schedule, with the body. */
  @Override
  public void interceptAfterEachMethod(
      Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context) {
    invocation.skip();
  }

  private static Report run(CheckedTest test, TestBody body, ExtensionContext context) {
    String replay = context.getConfigurationParameter(REPLAY).filter(text -> !text.isBlank()).orElse(test.replay());
    try {
      Check check = Check.that(body).strategy(Strategy.parse(test.strategy())).firstSeed(test.firstSeed());
      check = test.seeds() == 0 ? check : check.seeds(test.seeds());
      check = test.steps() == 0 ? check : check.steps(test.steps());
      check = test.timeMillis() == 0 ? check : check.time(Duration.ofMillis(test.timeMillis()));
      check = test.allowLeaks() ? check.allowLeaks() : check;
      return replay.isEmpty() ? check.search() : check.replay(replay);
    } catch (IllegalArgumentException e) {
      Method method = context.getRequiredTestMethod();
      throw new ExtensionConfigurationException(
          "@CheckedTest on " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + ": " + e.getMessage(), e);
    }
  }

  private static void publish(Failure failure, ExtensionContext context) {
    if (failure.cause() instanceof TestAbortedException aborted) {
      throw aborted;
    }
    if (!failure.replay().isEmpty()) {
      context.publishReportEntry(REPLAY, failure.replay());
    }
  }
}

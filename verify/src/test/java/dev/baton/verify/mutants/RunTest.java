// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs one test method in this JVM. Exit status 0: it passed; 1: it failed; 2: there is no such test. */
final class RunTest {
  private RunTest() {}

  public static void main(String[] args) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectMethod(args[0])).build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.getFailures().forEach(f -> System.out.println(f.getException()));
    // Not by returning: a caught bug may have left threads behind that never end.
    System.exit(summary.getTestsFoundCount() != 1 ? 2 : summary.getTestsFailedCount() > 0 ? 1 : 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

/** A check has found something. The message is the whole report. */
public final class CheckFailedError extends AssertionError {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // for a look at once, not for a wire
  private final transient Report report;

  CheckFailedError(Report report) {
    super("\n" + report, report.failure().map(Failure::cause).orElse(null));
    this.report = report;
  }

  /** {@return what was found} */
  public Report report() {
    return report;
  }
}

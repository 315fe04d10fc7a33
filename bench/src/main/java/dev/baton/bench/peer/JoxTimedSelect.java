// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import com.softwaremill.jox.Select;
import com.softwaremill.jox.SelectClause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The same with a time-out. */
final class JoxTimedSelect implements Tap {
  private final SelectClause<Integer>[] clauses;
  private final Duration timeout;

  JoxTimedSelect(List<Pipe> pipes, Duration timeout) {
    clauses = JoxSelect.clauses(pipes);
    this.timeout = timeout;
  }

  @Override
  public Integer receive() throws InterruptedException, TimeoutException {
    return Select.selectWithin(timeout, clauses);
  }
}

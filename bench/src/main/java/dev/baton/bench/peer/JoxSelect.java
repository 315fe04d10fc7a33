// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import com.softwaremill.jox.Select;
import com.softwaremill.jox.SelectClause;
import java.util.List;

/** The clauses have no state, so one array of them does for all messages. */
final class JoxSelect implements Tap {
  private final SelectClause<Integer>[] clauses;

  JoxSelect(List<Pipe> pipes) {
    clauses = clauses(pipes);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  static SelectClause<Integer>[] clauses(List<Pipe> pipes) {
    return pipes.stream().map(pipe -> ((JoxPipe) pipe).channel().receiveClause()).toArray(SelectClause[]::new);
  }

  @Override
  public Integer receive() throws InterruptedException {
    return Select.select(clauses);
  }
}

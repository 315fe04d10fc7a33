// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.channel.Clause;
import dev.baton.channel.Select;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Built once and run for each message, as one would. */
record BatonSelect(Select<Integer> select) implements Tap {
  static BatonSelect of(List<Pipe> pipes, @Nullable Duration timeout) {
    List<Clause<Integer>> clauses = new ArrayList<>();
    for (Pipe pipe : pipes) {
      clauses.add(Select.receive(((BatonPipe) pipe).channel(), message -> message));
    }
    if (timeout != null) {
      clauses.add(
          Select.after(
              timeout,
              () -> {
                throw new IllegalStateException("no message within " + timeout);
              }));
    }
    return new BatonSelect(Select.of(clauses));
  }

  BatonSelect biased() {
    return new BatonSelect(select.biased());
  }

  @Override
  public Integer receive() throws InterruptedException {
    return select.run();
  }
}

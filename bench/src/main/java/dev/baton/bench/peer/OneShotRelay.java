// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A new object for each hop: whoever gives first makes the one by which it will take the turn back. Both fields are handed over
 * with the turn, so that neither needs to be volatile.
 */
final class OneShotRelay<T> implements Relay {
  /** Waits for the end of what can end once. */
  interface Wait<T> {
    void until(T ended) throws Exception;
  }

  private final Supplier<T> fresh;
  private final Consumer<T> end;
  private final Wait<T> wait;
  private T toSide0;
  private T toSide1;

  OneShotRelay(Supplier<T> fresh, Consumer<T> end, Wait<T> wait) {
    this.fresh = fresh;
    this.end = end;
    this.wait = wait;
    toSide0 = fresh.get();
    toSide1 = fresh.get();
  }

  @Override
  public void give(int to) {
    if (to == 0) {
      toSide1 = fresh.get();
      end.accept(toSide0);
    } else {
      toSide0 = fresh.get();
      end.accept(toSide1);
    }
  }

  @Override
  public void take(int side) throws Exception {
    wait.until(side == 0 ? toSide0 : toSide1);
  }
}

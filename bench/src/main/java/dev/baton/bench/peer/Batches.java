// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.List;

/** A queue into which items are put one by one, and out of which several are taken together. */
public interface Batches {
  void put(Object item);

  /** Exactly {@code n} items, waited for if need be. */
  List<Object> take(int n) throws InterruptedException;

  int size();
}

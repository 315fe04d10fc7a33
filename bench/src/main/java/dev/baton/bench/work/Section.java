// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.infra.Blackhole;

/** What a worker does while it is inside. */
interface Section {
  void run() throws InterruptedException;

  /** Burns CPU for a number of {@link Blackhole#consumeCPU tokens}; {@code 0} does nothing at all. */
  static Section cpu(long tokens) {
    return tokens == 0 ? () -> {} : () -> Blackhole.consumeCPU(tokens);
  }

  static Section sleep(long millis) {
    return () -> Thread.sleep(millis);
  }
}

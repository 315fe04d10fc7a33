// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

/** How a benchmark checks its own result: a figure from a run that went wrong is worth nothing. */
final class Expect {
  private Expect() {}

  static void equal(String what, long expected, long actual) {
    if (expected != actual) {
      throw new IllegalStateException(what + ": expected " + expected + ", found " + actual);
    }
  }
}

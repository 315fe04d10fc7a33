// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/** Lets many read or one write. What starting returns is handed to the end: one of the peers works by such stamps. */
public interface RwGate {
  long startRead() throws InterruptedException;

  void endRead(long stamp);

  long startWrite() throws InterruptedException;

  void endWrite(long stamp);

  /** Whether nobody reads or writes: the check that every start had its end. */
  boolean isIdle();
}

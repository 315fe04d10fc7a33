// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

/** Permits that are known by their name outside of this process. */
interface RemoteGate {
  /** Takes one permit, waiting for it. What is returned gives it back. */
  Object acquire() throws Exception;

  void release(Object held) throws Exception;

  /** How many permits the server says are free. */
  int free() throws Exception;

  /** How many stand in line, as the server knows. */
  default int waiting() throws Exception {
    throw new UnsupportedOperationException("nobody is asked who waits here");
  }
}

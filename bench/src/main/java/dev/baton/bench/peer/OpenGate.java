// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/** Lets everybody in: the floor of rows whose work is not the gate itself. */
record OpenGate(int permits) implements Gate {
  @Override
  public void enter() {}

  @Override
  public void leave() {}

  @Override
  public long free() {
    return permits;
  }
}

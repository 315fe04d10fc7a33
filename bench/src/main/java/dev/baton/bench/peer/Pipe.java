// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/** Hands messages from threads that send to threads that receive, each to exactly one. Whoever cannot go on waits. */
public interface Pipe extends Tap {
  void send(Integer message) throws InterruptedException;

  @Override
  Integer receive() throws InterruptedException;
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

/** Where messages come out: the end of a {@link Pipe}, or a choice of several. */
public interface Tap {
  Integer receive() throws Exception;
}

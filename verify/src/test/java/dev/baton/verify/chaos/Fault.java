// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

/** What goes wrong. */
enum Fault {
  /** kill -9 of a process that holds and waits; another one takes its place. */
  KILL("process killed"),
  /** A process stands still for less than a window. */
  PAUSE("process paused"),
  /** A process stands still for longer than a window: it has lost everything when it goes on. */
  LONG_PAUSE("process paused past its window"),
  /** The connections of a process end, and it gets no new ones for a while. */
  CUT("link cut"),
  /** What a process sends goes nowhere, and it hears nothing, though all connections look alive. */
  HALF_OPEN("link half open"),
  /** What a process sends arrives; no answer does. */
  NO_ANSWERS("answers dropped"),
  /** Everything on a link arrives, but much later: old requests meet a world that has moved on. */
  LATE("link held up"),
  /** SCRIPT FLUSH. */
  SCRIPTS_FORGOTTEN("script flush"),
  /** CLIENT KILL of some connections, whoever has them. */
  CLIENTS_KILLED("clients killed"),
  /** The server answers nobody for a while. */
  STALL("server stalled"),
  /** kill -9 of the server, which comes back with all it has said. */
  RESTART("server restarted with data"),
  /** kill -9 of the server, which comes back and knows nothing. */
  RESTART_EMPTY("server restarted empty"),
  /** kill -9 of the server; a replica that had stopped hearing of changes takes its place. */
  FAIL_OVER("fail-over");

  final String text;

  Fault(String text) {
    this.text = text;
  }

  /** Whether it strikes the server, and so everybody. */
  boolean strikesServer() {
    return compareTo(SCRIPTS_FORGOTTEN) >= 0;
  }
}

// SPDX-License-Identifier: Apache-2.0
/** The cooperative host, and the checker that searches schedules for deadlocks and other mistakes. */
module dev.baton.runtime {
  requires transitive dev.baton.core;
  requires static org.jspecify;

  exports dev.baton.check;
  exports dev.baton.runtime;
  exports dev.baton.runtime.internal to
      dev.baton.effect;
}

// SPDX-License-Identifier: Apache-2.0
/** Metrics of named things, for Micrometer. */
module dev.baton.micrometer {
  requires transitive dev.baton.core;
  requires transitive micrometer.core;
  requires static org.jspecify;

  exports dev.baton.micrometer;
}

// SPDX-License-Identifier: Apache-2.0
/** Tests whose body runs under many schedules. */
module dev.baton.junit {
  requires transitive dev.baton.runtime;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.baton.junit;

  // JUnit makes the extension by reflection.
  opens dev.baton.junit to
      org.junit.platform.commons;
}

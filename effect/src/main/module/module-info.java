// SPDX-License-Identifier: Apache-2.0
/** Programs that perform effects, the handlers that answer them, and the runners. */
module dev.baton.effect {
  requires transitive dev.baton.runtime;
  requires static org.jspecify;

  exports dev.baton.effect;
}

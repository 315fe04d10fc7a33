// SPDX-License-Identifier: Apache-2.0
/**
 * The permit kernel, the hosts it waits on, and the primitives built on both.
 *
 * <p>{@code dev.baton.sync} is for everyone. {@code dev.baton.host} is the seam between primitives and the world that
 * runs them; it is exported to Baton's own modules only, as is what the tasks of effect programs are made of.
 */
module dev.baton.core {
  requires static jdk.jfr; // does without where it is missing
  requires static org.jspecify;

  exports dev.baton.channel;
  exports dev.baton.host to
      dev.baton.effect,
      dev.baton.lease,
      dev.baton.lease.redis,
      dev.baton.runtime;
  exports dev.baton.internal.kernel to
      dev.baton.effect;
  exports dev.baton.internal.outcome to
      dev.baton.effect;
  exports dev.baton.observe;
  exports dev.baton.pattern;
  exports dev.baton.scope;
  exports dev.baton.sync;
}

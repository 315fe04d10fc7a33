// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

/** Something that knows itself which run has made it, and need not be written down by its host. */
public interface Native {

  /** The host of the run that has made it. */
  Host host();

  /** Whether somebody outside of that run is to end it. */
  boolean endsFromOutside();
}

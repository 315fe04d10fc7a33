// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Leases;

/** Connects to where leases are kept. In a jar of its own, for those commands only that need what it needs. */
public interface LeaseConnector {
  /**
   * Connects to the server at {@code uri}.
   *
   * @throws IllegalArgumentException if it is no such address, or {@code namespace} is not fit; without the address in its message
   * @throws BackendUnavailableException if the server cannot be used; without a password in its message
   */
  Leases connect(String uri, String namespace);
}

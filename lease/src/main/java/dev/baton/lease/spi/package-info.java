// SPDX-License-Identifier: Apache-2.0
/** What a store of leases has to do, and what all stores share: requests, leases, the one timer. For Baton's own stores only. */
@NullMarked
package dev.baton.lease.spi;

import org.jspecify.annotations.NullMarked;

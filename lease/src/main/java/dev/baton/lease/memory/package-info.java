// SPDX-License-Identifier: Apache-2.0
/** The store inside one process. */
@NullMarked
package dev.baton.lease.memory;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Fair, cancellable semaphores and locks. */
@NullMarked
package dev.baton.sync;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What is compared: Baton and its peers behind one tiny interface, for the rows in which many workers contend. */
@NullMarked
package dev.baton.bench.peer;

import org.jspecify.annotations.NullMarked;

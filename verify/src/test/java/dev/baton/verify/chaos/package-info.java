// SPDX-License-Identifier: Apache-2.0
/** Leases on Redis while processes, links and servers fail: real processes, a real server, and a look at all that happened afterwards. */
@NullMarked
package dev.baton.verify.chaos;

import org.jspecify.annotations.NullMarked;

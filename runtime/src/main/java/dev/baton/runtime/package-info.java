// SPDX-License-Identifier: Apache-2.0
/** Running tasks one at a time, in an order that can be chosen and repeated. */
@NullMarked
package dev.baton.runtime;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What a select needs to know of primitives that only they know. */
@NullMarked
package dev.baton.internal.select;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What promises and tasks have in common: they end once, with a result, and can be waited for. */
@NullMarked
package dev.baton.internal.outcome;

import org.jspecify.annotations.NullMarked;

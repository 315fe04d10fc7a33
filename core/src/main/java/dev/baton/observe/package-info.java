// SPDX-License-Identifier: Apache-2.0
/** Looking at a running program: who holds what. */
@NullMarked
package dev.baton.observe;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The seam between primitives and the world that runs them. */
@NullMarked
package dev.baton.host;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Keeps what readers copy true: every example runs, every snippet in the documentation compiles. */
@NullMarked
package dev.baton.examples;

import org.jspecify.annotations.NullMarked;

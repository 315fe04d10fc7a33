// SPDX-License-Identifier: Apache-2.0
/** Looking at a running program: who waits for what and who holds it, and what the named things in it are doing. */
@NullMarked
package dev.baton.observe;

import org.jspecify.annotations.NullMarked;

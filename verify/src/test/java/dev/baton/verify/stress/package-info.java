// SPDX-License-Identifier: Apache-2.0
/** Many threads, all operations, random interrupts: nothing is lost, nothing is over-committed, nobody is left behind. */
@NullMarked
package dev.baton.verify.stress;

import org.jspecify.annotations.NullMarked;

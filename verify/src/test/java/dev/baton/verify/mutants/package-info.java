// SPDX-License-Identifier: Apache-2.0
/** Bugs put into the kernel on purpose, to see that the suites find them. */
@NullMarked
package dev.baton.verify.mutants;

import org.jspecify.annotations.NullMarked;

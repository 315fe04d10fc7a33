// SPDX-License-Identifier: Apache-2.0
/**
 * A single-file program inside this JVM: compiled in memory, loaded once, started as often as one likes, its output kept aside and
 * its static state watched. Knows nothing of command lines, and nothing of checking.
 */
@NullMarked
package dev.baton.cli.program;

import org.jspecify.annotations.NullMarked;

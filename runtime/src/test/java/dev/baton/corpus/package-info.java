// SPDX-License-Identifier: Apache-2.0
/**
 * Classic concurrency bugs, each a small program that fails under some schedules, beside a twin that is right under all.
 *
 * <p>They measure the checker: it has to find each bug within its budget, and must find nothing in a twin. A task can be
 * interrupted by others only where it calls Baton, so a program that reads, then calls Baton, then writes is a race, and one
 * that reads and writes in a row is not.
 */
@NullMarked
package dev.baton.corpus;

import org.jspecify.annotations.NullMarked;

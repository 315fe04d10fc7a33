// SPDX-License-Identifier: Apache-2.0
/** Searching the schedules of a program for deadlocks and other mistakes, and replaying the one that was found. */
@NullMarked
package dev.baton.check;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code baton} command. One class per command; {@link dev.baton.cli.Child} and {@link dev.baton.cli.GuardedChild} are the only places
 * that start a process, and {@code dev.baton.cli.program} the only one that loads a program into this JVM. Classes of commands name
 * nothing that other commands do not need: all of them are loaded, whichever runs.
 *
 * <p>Nothing here is for programs to call.
 */
@NullMarked
package dev.baton.cli;

import org.jspecify.annotations.NullMarked;

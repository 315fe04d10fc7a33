// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code baton} command. One class per command; {@link dev.baton.cli.Child} is the only place that starts a process,
 * and {@code dev.baton.cli.program} the only one that loads a program into this JVM.
 *
 * <p>Nothing here is for programs to call.
 */
@NullMarked
package dev.baton.cli;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code baton} command. One class per command; {@link dev.baton.cli.Child} is the only place that starts a process.
 *
 * <p>Nothing here is for programs to call.
 */
@NullMarked
package dev.baton.cli;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Tests of the command: in this JVM where its words are in question, in a real process where the process is. */
@NullMarked
package dev.baton.cli;

import org.jspecify.annotations.NullMarked;

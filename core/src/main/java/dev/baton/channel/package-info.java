// SPDX-License-Identifier: Apache-2.0
/** Sharing by communicating: channels, and waiting for the first of several things. */
@NullMarked
package dev.baton.channel;

import org.jspecify.annotations.NullMarked;

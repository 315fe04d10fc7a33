// SPDX-License-Identifier: Apache-2.0
/** How the {@code baton} command reaches Redis. Found by the command through a service file, if it is there. */
@NullMarked
package dev.baton.cli.redis;

import org.jspecify.annotations.NullMarked;

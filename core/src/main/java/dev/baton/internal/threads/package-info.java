// SPDX-License-Identifier: Apache-2.0
/** The production host: virtual and platform threads, the JDK's clocks, one shared timer. */
@NullMarked
package dev.baton.internal.threads;

import org.jspecify.annotations.NullMarked;

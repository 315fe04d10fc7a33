// SPDX-License-Identifier: Apache-2.0
/** The cooperative host: tasks, the turn that goes from one to the next, timers, and the two engines that switch. */
@NullMarked
package dev.baton.runtime.internal;

import org.jspecify.annotations.NullMarked;

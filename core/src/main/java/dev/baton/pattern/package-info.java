// SPDX-License-Identifier: Apache-2.0
/**
 * The classical concurrency patterns, each as one finished class: built on channels, semaphores and scopes, so that their waits are
 * fair, cancellable and checkable like all others.
 */
@NullMarked
package dev.baton.pattern;

import org.jspecify.annotations.NullMarked;

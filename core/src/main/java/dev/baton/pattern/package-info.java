// SPDX-License-Identifier: Apache-2.0
/**
 * What programs do again and again with threads, permits and channels, done once so that nothing leaks, starves or is forgotten.
 *
 * <p>All of it is built on {@link dev.baton.scope.Scope}, {@link dev.baton.channel.Channel} and the kernel below the primitives, so it
 * runs in every world they run in.
 */
@NullMarked
package dev.baton.pattern;

import org.jspecify.annotations.NullMarked;

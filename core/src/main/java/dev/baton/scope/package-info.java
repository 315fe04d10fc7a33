// SPDX-License-Identifier: Apache-2.0
/**
 * Structured concurrency: tasks that cannot outlive the block that started them.
 *
 * <p>{@link dev.baton.scope.Scope} is the block, {@link dev.baton.scope.Task} one of its forks. Tasks are started, interrupted and
 * timed through the host, so scopes run in every world the primitives run in.
 */
@NullMarked
package dev.baton.scope;

import org.jspecify.annotations.NullMarked;

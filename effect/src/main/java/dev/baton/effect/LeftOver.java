// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.scope.TaskState;

/**
 * A task that had not ended when the program returned, and was cancelled.
 *
 * @param name what it is called
 * @param state what it was doing then
 */
public record LeftOver(String name, TaskState state) {}

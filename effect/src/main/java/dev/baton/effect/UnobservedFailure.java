// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

/**
 * A task that failed, and nobody has waited for it or looked at its outcome.
 *
 * @param task what it is called
 * @param error what it failed with
 */
public record UnobservedFailure(String task, Throwable error) {}

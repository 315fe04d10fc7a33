// SPDX-License-Identifier: Apache-2.0
package dev.baton.runtime.internal;

/**
 * What one thread of a task waits for until another thread of the same task gives it the turn back. To others that is no wait: what the
 * task waits for, the other one says.
 */
public interface Inward {}

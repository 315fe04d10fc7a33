// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import java.time.Duration;

/**
 * How far a search has come.
 *
 * @param schedules how many schedules were run
 * @param most how many will be run at most
 * @param elapsed for how long
 */
public record Progress(long schedules, long most, Duration elapsed) {}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.util.List;

/**
 * Works that are run and reported together.
 *
 * @param rounds how often each work is run, every time in a JVM of its own; rounds take turns, so that a noisy minute
 *     hits all implementations alike
 */
record Suite(String name, String about, int rounds, List<Work> works) {}

// SPDX-License-Identifier: Apache-2.0
/** The benchmark command: chooses suites, runs them through JMH, and reports tables, bars and charts. */
@NullMarked
package dev.baton.bench;

import org.jspecify.annotations.NullMarked;

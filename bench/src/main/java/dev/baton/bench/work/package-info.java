// SPDX-License-Identifier: Apache-2.0
/** What is measured: one JMH class per kind of work. Each checks its own result and prints nothing while timed. */
@NullMarked
package dev.baton.bench.work;

import org.jspecify.annotations.NullMarked;

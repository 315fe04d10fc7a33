// SPDX-License-Identifier: Apache-2.0
/** {@link dev.baton.junit.CheckedTest}: a JUnit test whose body runs under many schedules. */
@NullMarked
package dev.baton.junit;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What the suites of this module share. */
@NullMarked
package dev.baton.verify;

import org.jspecify.annotations.NullMarked;

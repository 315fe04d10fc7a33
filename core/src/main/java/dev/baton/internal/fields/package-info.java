// SPDX-License-Identifier: Apache-2.0
/** Atomic access to fields. */
@NullMarked
package dev.baton.internal.fields;

import org.jspecify.annotations.NullMarked;

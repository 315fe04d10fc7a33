// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.baton.bench;

import org.jspecify.annotations.NullMarked;

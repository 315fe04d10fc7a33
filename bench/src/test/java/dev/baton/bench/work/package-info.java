// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.baton.bench.work;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Every interleaving that Lincheck finds time for, against sequential specifications. Sequential consistency is assumed. */
@NullMarked
package dev.baton.verify.lincheck;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** What model checking cannot see because it assumes sequential consistency: orderings on the real machine. */
@NullMarked
package dev.baton.verify.jcstress;

import org.jspecify.annotations.NullMarked;

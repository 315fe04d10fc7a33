// SPDX-License-Identifier: Apache-2.0
/** Tests that read the nullness of what they test loosely, hence without the mark of the sources. */
package dev.baton.cli.program;

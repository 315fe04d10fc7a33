// SPDX-License-Identifier: Apache-2.0
/** The worlds in which every promise is tested: driven by hand, on virtual threads, on platform threads. */
package dev.baton.world;

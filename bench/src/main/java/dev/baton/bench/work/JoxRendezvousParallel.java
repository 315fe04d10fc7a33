// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** The same channels without buffers. A message takes much longer, so there are fewer. */
@OperationsPerInvocation(500_000)
public class JoxRendezvousParallel extends JoxParallel {}

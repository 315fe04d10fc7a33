// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.runtime.Engine;
import org.openjdk.jmh.annotations.Fork;

/** The same tasks on the stepped engine. */
@Fork(value = 1, jvmArgs = {"-Xms5g", "-Xmx5g", "-XX:+UseSerialGC", "-XX:MarkSweepDeadRatio=0", Engine.STEPPED_FLAG})
public class ParkedTasksStepped extends ParkedTasks {
  @Override
  Engine engine() {
    return Engine.STEPPED;
  }
}

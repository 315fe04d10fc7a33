// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import dev.baton.runtime.Engine;
import org.openjdk.jmh.annotations.Fork;

/** The same hops on a loop: the stepped engine beside a {@link BareLoop}. */
@Fork(value = 1, jvmArgs = {"-Xms1g", "-Xmx1g", Engine.STEPPED_FLAG})
public class EffectSwitchStepped extends EffectSwitch {
  @Override
  Engine engine() {
    return Engine.STEPPED;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.runtime.Clock;
import dev.baton.runtime.Engine;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that hold whichever engine switches tasks. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class OnBothEngines {
  @Parameter Engine engine;

  /** Round robin, in virtual time from second 100 on. */
  Runner runner() {
    return Runner.create().engine(engine).clock(Clock.virtual(Instant.ofEpochSecond(100)));
  }

  <T> RunResult<T> result(Program<? extends T> program) {
    return runner().run(program);
  }

  <T> T value(Program<? extends T> program) throws Exception {
    return runner().<T>run(program).orThrow();
  }

  /** Lets all others go on until they wait, if they do so soon. */
  static void letOthersRun() {
    for (int i = 0; i < 5; i++) {
      Effects.yieldNow();
    }
  }

  /** The error with which {@code program} ends the run. */
  Throwable error(Program<?> program) {
    return runner().run(program).error().orElseThrow(() -> new AssertionError("The program has not failed."));
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.micrometer.BatonMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import jdk.jfr.Recording;

/** Who looks on while something named is used. */
public enum Onlooker {
  /** What is used has no name. */
  NONE_POSSIBLE {
    @Override
    public AutoCloseable begin() {
      return () -> {};
    }
  },

  /** It has a name, and that is all. */
  NOBODY {
    @Override
    public AutoCloseable begin() {
      return () -> {};
    }
  },

  /** A flight recording of long waits, as with the settings that Baton ships, but without leaks. */
  RECORDING {
    @Override
    public AutoCloseable begin() {
      return record(false);
    }
  },

  /** A flight recording that looks for leaks too. */
  RECORDING_LEAKS {
    @Override
    public AutoCloseable begin() {
      return record(true);
    }
  },

  /** Gauges and timers. */
  MICROMETER {
    @Override
    public AutoCloseable begin() {
      BatonMetrics metrics = new BatonMetrics();
      metrics.bindTo(new SimpleMeterRegistry());
      return metrics;
    }
  };

  /** Begins to look on, until the result is closed. */
  public abstract AutoCloseable begin();

  @SuppressWarnings("resource") // closed by whoever gets it
  private static AutoCloseable record(boolean leaks) {
    Recording recording = new Recording();
    recording.setToDisk(false);
    recording.enable("dev.baton.Wait").withThreshold(Duration.ofMillis(10));
    if (leaks) {
      recording.enable("dev.baton.PermitLeak").withPeriod(Duration.ofSeconds(1));
    }
    recording.start();
    return recording;
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.work;

import org.openjdk.jmh.infra.Blackhole;

/**
 * How many {@link Blackhole#consumeCPU tokens} take a given time on this machine. Measured once by the process that
 * starts the benchmarks and handed to each of them, so that every implementation gets the same section.
 */
public final class Calibration {
  private static final String PROPERTY = "baton.bench.tokensPerMicro";
  private static final long SAMPLE_TOKENS = 1_000;
  private static final int CALLS = 500; // under a millisecond: short enough to slip between two preemptions
  private static final int ATTEMPTS = 400;

  private Calibration() {}

  /** The JVM argument that hands a measured rate on. */
  public static String argument(double tokensPerMicro) {
    return "-D" + PROPERTY + "=" + tokensPerMicro;
  }

  /** Tokens that burn about as many nanoseconds; at least one. */
  static long tokens(int nanos) {
    String handedOn = System.getProperty(PROPERTY);
    double perMicro = handedOn == null ? measure() : Double.parseDouble(handedOn);
    return Math.max(1, Math.round(nanos * perMicro / 1_000));
  }

  /** Tokens per microsecond: the best of several attempts, since noise only ever slows one down. */
  public static double measure() {
    double best = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long start = System.nanoTime();
      for (int call = 0; call < CALLS; call++) {
        Blackhole.consumeCPU(SAMPLE_TOKENS);
      }
      double micros = (System.nanoTime() - start) / 1e3;
      best = Math.max(best, CALLS * SAMPLE_TOKENS / micros);
    }
    return best;
  }
}

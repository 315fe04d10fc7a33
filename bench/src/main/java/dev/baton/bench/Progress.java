// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Collection;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Keeps JMH's own log in a file, and shows how far the run has come: one line that changes on a terminal. */
final class Progress implements OutputFormat {
  private static final String CLEAR_LINE = "\r\u001b[K";

  private static final int WIDTH = 79; // a line that wraps could not be cleared

  private final OutputFormat log;
  private final PrintStream screen;
  private final boolean terminal;
  private final int total;
  private final long start = System.nanoTime();
  private int started;
  private String work = "";

  Progress(PrintStream log, PrintStream screen, boolean terminal, int total) {
    this.log = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
    this.screen = screen;
    this.terminal = terminal;
    this.total = total;
  }

  /** What the next benchmarks are about. Where the line cannot change, it is written once per work. */
  void at(String suite, String label) {
    work = suite + ": " + label;
    if (!terminal) {
      screen.println(position(started + 1) + work);
    }
  }

  void done() {
    if (terminal) {
      screen.print(CLEAR_LINE);
    }
    screen.println(total + " benchmarks in " + Format.duration(System.nanoTime() - start) + " min");
  }

  @Override
  public void startBenchmark(BenchmarkParams params) {
    started++;
    if (terminal) {
      String line = position(started) + Readings.peer(params).label() + ", " + work;
      screen.print(CLEAR_LINE + line.substring(0, Math.min(line.length(), WIDTH)));
      screen.flush();
    }
    log.startBenchmark(params);
  }

  private String position(int number) {
    return "[%d/%d, %s] ".formatted(number, total, Format.duration(System.nanoTime() - start));
  }

  @Override
  public void iteration(BenchmarkParams benchmark, IterationParams params, int iteration) {
    log.iteration(benchmark, params, iteration);
  }

  @Override
  public void iterationResult(BenchmarkParams benchmark, IterationParams params, int iteration, IterationResult data) {
    log.iterationResult(benchmark, params, iteration, data);
  }

  @Override
  public void endBenchmark(BenchmarkResult result) {
    log.endBenchmark(result);
  }

  @Override
  public void startRun() {
    log.startRun();
  }

  /** JMH's closing table would come once per work; the log has every iteration already. */
  @Override
  public void endRun(Collection<RunResult> result) {}

  @Override
  public void print(String text) {
    log.print(text);
  }

  @Override
  public void println(String text) {
    log.println(text);
  }

  @Override
  public void flush() {
    log.flush();
  }

  @Override
  public void close() {
    log.close();
  }

  @Override
  public void verbosePrintln(String text) {
    log.verbosePrintln(text);
  }

  @Override
  public void write(int b) {
    log.write(b);
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    log.write(bytes);
  }
}

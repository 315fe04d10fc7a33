// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Collection;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Keeps JMH's own log in a file, and shows how far the run has come: a bar on a terminal, a line for each work elsewhere. */
final class Progress implements OutputFormat {
  private static final int COLUMNS = 79; // a line that wraps could not be cleared
  private static final int REDRAW_MILLIS = 1_000; // seldom: what is measured runs beside it

  private final OutputFormat log;
  private final PrintStream screen;
  private final @Nullable ProgressBar bar;
  private final int total;
  private final long start = System.nanoTime();
  private int started;
  private boolean cleared;
  private String work = "";

  Progress(PrintStream log, PrintStream screen, boolean terminal, int total) {
    this.log = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
    this.screen = screen;
    this.bar = terminal ? bar(screen, total) : null;
    this.total = total;
  }

  private static ProgressBar bar(PrintStream screen, int total) {
    ConsoleProgressBarConsumer line =
        new ConsoleProgressBarConsumer(screen, COLUMNS) {
          @Override
          public void close() {
            // It would leave the bar where it is and begin a new line; here it is taken away.
          }
        };
    return new ProgressBarBuilder()
        .setTaskName("bench")
        .setInitialMax(total)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(REDRAW_MILLIS)
        .setConsumer(line)
        .build();
  }

  /** What the next benchmarks are about. Where the line cannot change, it is written once per work. */
  void at(String suite, String label) {
    work = suite + ": " + label;
    if (bar == null) {
      screen.println("[%d/%d, %s] ".formatted(started + 1, total, Format.duration(System.nanoTime() - start)) + work);
    } else {
      bar.setExtraMessage(work);
    }
  }

  void done() {
    clear();
    screen.println(total + " benchmarks in " + Format.duration(System.nanoTime() - start) + " min");
  }

  /** Takes the bar away, whether the run has come to its end or not. */
  void clear() {
    if (bar != null && !cleared) {
      cleared = true;
      bar.close(); // draws it for the last time, and then never again
      screen.print("\r" + " ".repeat(COLUMNS) + "\r");
      screen.flush();
    }
  }

  @Override
  public void startBenchmark(BenchmarkParams params) {
    if (bar != null) {
      bar.stepTo(started); // so many are done
      bar.setExtraMessage(Readings.peer(params).label() + ", " + work);
    }
    started++;
    log.startBenchmark(params);
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

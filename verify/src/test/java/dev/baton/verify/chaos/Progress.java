// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows those who watch how far the faults have come: a bar on a terminal, which leaves no trace there; elsewhere a line now and then. The
 * terminal is named by the script that starts the run, since Maven keeps the streams to itself.
 */
interface Progress extends Consumer<Plan.Strike>, AutoCloseable {
  @Override
  void close();

  /** For {@code faults} in {@code length}. */
  static Progress of(String what, int faults, Duration length) throws IOException {
    String terminal = System.getProperty("baton.chaos.terminal", "");
    return terminal.isBlank()
        ? new Lines(System.out, length)
        : new Bar(new PrintStream(new FileOutputStream(terminal), false, StandardCharsets.UTF_8), what, faults);
  }

  /** Where a line cannot be drawn again. */
  final class Lines implements Progress {
    private static final int EVERY_SECONDS = 30;

    private final PrintStream out;
    private final Duration length;
    private int faults;
    private long next = EVERY_SECONDS;

    Lines(PrintStream out, Duration length) {
      this.out = out;
      this.length = length;
    }

    @Override
    public void accept(Plan.Strike strike) {
      faults++;
      if (strike.at() / 1_000 >= next) {
        next += EVERY_SECONDS;
        out.printf("%d of %d s, %d faults%n", strike.at() / 1_000, length.toSeconds(), faults);
      }
    }

    @Override
    public void close() {}
  }

  /** A line that is drawn again and again. */
  final class Bar implements Progress {
    private static final int COLUMNS = 79; // a line that wraps could not be cleared

    private final PrintStream terminal;
    private final ProgressBar bar;

    Bar(PrintStream terminal, String what, int faults) {
      this.terminal = terminal;
      ConsoleProgressBarConsumer line =
          new ConsoleProgressBarConsumer(terminal, COLUMNS) {
            @Override
            public void close() {
              // It would leave the bar where it is and begin a new line; here it is taken away, by whoever drew it.
            }
          };
      bar =
          new ProgressBarBuilder()
              .setTaskName(what)
              .setInitialMax(faults)
              .setUnit(" faults", 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(500)
              .setConsumer(line)
              .build();
    }

    @Override
    public void accept(Plan.Strike strike) {
      bar.setExtraMessage(strike.fault().name().toLowerCase(Locale.ROOT).replace('_', ' '));
      bar.step();
    }

    @Override
    public void close() {
      bar.close(); // draws it for the last time, and then never again
      terminal.print("\r" + " ".repeat(COLUMNS) + "\r");
      terminal.close();
    }
  }
}

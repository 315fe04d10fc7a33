// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.check.Progress;
import java.io.PrintStream;
import java.util.function.Consumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows on a terminal how far a search has come, and leaves no trace there. */
interface CheckProgress extends Consumer<Progress>, AutoCloseable {
  @Override
  void close();

  /** A bar on a terminal, nothing elsewhere. Begun before the program takes over the streams. */
  static CheckProgress shown() {
    return Colours.isErrorTerminal() ? new Bar(System.err) : new Nowhere();
  }

  /** Nobody watches. */
  final class Nowhere implements CheckProgress {
    @Override
    public void accept(Progress progress) {}

    @Override
    public void close() {}
  }

  /** A line that is drawn again and again. */
  final class Bar implements CheckProgress {
    private static final int COLUMNS = 79;

    private final PrintStream err;
    private final ProgressBar bar;

    Bar(PrintStream err) {
      this.err = err;
      ConsoleProgressBarConsumer line =
          new ConsoleProgressBarConsumer(err, COLUMNS) {
            @Override
            public void close() {
              // It would leave the bar where it is and begin a new line; here it is taken away, by whoever drew it.
            }
          };
      bar =
          new ProgressBarBuilder()
              .setTaskName("checking")
              .setInitialMax(-1)
              .setUnit(" schedules", 1)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(200)
              .setConsumer(line)
              .build();
    }

    @Override
    public void accept(Progress progress) {
      if (progress.most() != Long.MAX_VALUE) {
        bar.maxHint(progress.most());
      }
      bar.stepTo(progress.schedules());
    }

    @Override
    public void close() {
      bar.close(); // draws it for the last time, and then never again
      err.print("\r" + " ".repeat(COLUMNS) + "\r");
      err.flush();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.check.Check;
import dev.baton.check.Failure;
import dev.baton.check.Report;
import dev.baton.cli.program.KeptOutput;
import dev.baton.cli.program.LoadedProgram;
import dev.baton.cli.program.NoProgramException;
import dev.baton.cli.program.SourceFile;
import dev.baton.observe.WaitGraph;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs a single-file program under many schedules and says what went wrong under which.
 *
 * <p>In this JVM: one start instead of two before there is something to see. The launcher script starts it without the flags that
 * make short commands quick and long ones slow.
 */
@Command(
    name = "check",
    description = "Searches the schedules of a single-file Java program for deadlocks and other mistakes.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "baton check [OPTION...] FILE.java [ARGUMENT...] [-- ARGUMENT...]",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeOnExecutionException = CheckCommand.BROKEN,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing was found",
      "1:something was found",
      "2:the command line was wrong, or FILE.java is missing; nothing was started",
      "3:FILE.java does not compile, or has no main that could be called",
      "4:the check itself failed: a picture could not be written, or a bug in Baton",
      "128+s:it was ended by signal s: 130 after Ctrl-C; what was found until then is told",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  baton check Bank.java                       1000 random schedules",
      "  baton check Bank.java --seed random:5       one of them again",
      "  baton check Bank.java --strategy exhaustive all with few switches",
      "  baton check Bank.java --time 5m --svg a.svg long, with a picture",
      "  baton check Bank.java 10 -- --verbose       main gets 10 and --verbose",
    })
final class CheckCommand implements Callable<Integer> {
  private static final int FOUND = 1;
  private static final int NO_PROGRAM = 3;

  /** The exit code of a check that could not be carried out. */
  static final int BROKEN = 4;

  @Spec
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE.java", description = "The program: one source file with a main method.")
  private Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "ARGUMENT",
      description = "Handed to main in every run; those that start with '-' stand after '--'.")
  private List<String> arguments = new ArrayList<>();

  @Mixin
  private CheckOptions options = new CheckOptions();

  @Option(names = "--json", description = "Print the result as one JSON object.")
  private boolean json;

  @Option(names = "--dot", paramLabel = "FILE", description = "Write who waits for whom in the end, for Graphviz.")
  private @Nullable Path dot;

  @Option(names = "--svg", paramLabel = "FILE", description = "Write the same as a picture.")
  private @Nullable Path svg;

  @Override
  public Integer call() throws IOException {
    SourceArgument.refuseUnusable(spec.commandLine(), file);
    refuseUnwritable(dot);
    refuseUnwritable(svg);
    // Taken before the program's own streams take their place.
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    // Once without a program, so that wrong options are told before anything is compiled.
    configured(Check.that(() -> {}));
    LoadedProgram program;
    try {
      program = new LoadedProgram(new SourceFile(file, SourceArgument.classPath()).compile(err));
    } catch (NoProgramException e) {
      err.println("baton check: " + file + ": " + e.getMessage());
      err.println("  " + e.remedy());
      err.flush();
      return NO_PROGRAM;
    }
    // A line of text is no JSON: who reads that finds it elsewhere.
    try (EarlyEnd early = new EarlyEnd(json ? err : out)) {
      CheckRun run = check(program, early);
      if (early.mayTell()) {
        tell(run, out, err);
      }
      return run.report().passed() ? spec.exitCodeOnSuccess() : FOUND;
    }
  }

  /**
   * How it went: what was found, what the program printed in the run that is shown, what is wrong with its static fields, and whether
   * it was ended before its time by a signal.
   */
  private record CheckRun(Report report, String output, List<String> warnings, boolean stopped) {}

  private CheckRun check(LoadedProgram loaded, EarlyEnd early) {
    try (CheckProgress progress = CheckProgress.shown();
        KeptOutput output = new KeptOutput()) {
      CheckedProgram program = new CheckedProgram(loaded, arguments, output);
      Check check = configured(program.check().onProgress(told -> {
        progress.accept(told);
        early.accept(told);
      }));
      String seed = options.seed();
      Report report = seed == null ? check.search() : replay(check, seed);
      boolean stopped = early.wasAsked() && report.passed() && !report.complete();
      return new CheckRun(report, output.text(), program.warnings(), stopped);
    }
  }

  private Check configured(Check check) {
    try {
      return options.applyTo(check);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Report replay(Check check, String seed) {
    try {
      return check.replay(seed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--seed: " + e.getMessage(), e);
    }
  }

  private void tell(CheckRun run, PrintWriter out, PrintWriter err) throws IOException {
    if (json) {
      out.println(ReportJson.of(file, run.report(), run.output(), run.stopped()));
    } else {
      printText(run, out);
    }
    out.flush();
    run.warnings().forEach(err::println);
    err.flush();
    write(run.report(), err);
  }

  private void printText(CheckRun run, PrintWriter out) {
    if (run.stopped()) {
      out.println(EarlyEnd.describe(run.report().schedules()) + ".");
      return;
    }
    out.print(run.report());
    run.report()
        .failure()
        .ifPresent(
            failure -> {
              if (!run.output().isBlank()) {
                out.println();
                out.println("Printed by the program on this schedule:");
                run.output().lines().forEach(line -> out.println("  | " + line));
              }
              if (failure.replay().isEmpty()) {
                return;
              }
              out.println();
              out.println("See it again: " + ReplayCommand.of(file, failure.replay(), options.forReplay(), arguments));
            });
  }

  private void refuseUnwritable(@Nullable Path picture) {
    if (picture == null) {
      return;
    }
    Path directory = picture.toAbsolutePath().getParent();
    boolean writable = Files.exists(picture) ? Files.isWritable(picture) : directory != null && Files.isWritable(directory);
    if (Files.isDirectory(picture) || !writable) {
      throw new ParameterException(
          spec.commandLine(), picture + " cannot be written\n  Expected: the name of a file in a directory that exists.");
    }
  }

  private void write(Report report, PrintWriter err) throws IOException {
    WaitGraph graph = report.failure().map(Failure::graph).filter(found -> !found.isEmpty()).orElse(null);
    if (graph == null) {
      if (dot != null || svg != null) {
        err.println("baton check: nobody waits for anything in the end, so there is no picture to write.");
        err.flush();
      }
      return;
    }
    if (dot != null) {
      Files.writeString(dot, graph.toDot());
    }
    if (svg != null) {
      Files.writeString(svg, graph.toSvg());
    }
  }
}

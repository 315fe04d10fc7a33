// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a single-file program with the JDK's own source launcher and Baton on its class path. */
@Command(
    name = "run",
    description = "Runs a single-file Java program with Baton on its class path.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    customSynopsis = "baton run [-hV] FILE.java [ARGUMENT...]",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions, before the file:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "n:the program's own: what it gave to System.exit, 0 when main returned",
      "1:it ended with an uncaught exception, or did not compile",
      "2:FILE.java cannot be run (missing, a directory, ...); nothing was started",
      "128+s:it was ended by signal s: 130 after Ctrl-C, 143 after TERM",
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  baton run examples/FairPermits.java",
      "  baton run Crawl.java --help -n 3       --help and -n 3 go to Crawl",
    })
final class RunCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE.java", description = "The program: one source file with a main method.")
  private Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "ARGUMENT",
      description = "Handed to the program as they are, also those that start with '-'.")
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    SourceArgument.refuseUnusable(spec.commandLine(), file);
    List<String> command = new ArrayList<>();
    command.add(Child.java());
    command.add("-cp");
    command.add(SourceArgument.classPath().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    // A bare name that starts with "-" or "@" would be read as an option of java.
    command.add(file.getParent() == null ? Path.of(".").resolve(file).toString() : file.toString());
    command.addAll(arguments);
    return new Child(command).run(spec.commandLine().getErr());
  }
}

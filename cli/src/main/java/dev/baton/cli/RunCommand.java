// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import dev.baton.sync.Semaphore;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
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
    refuseWhatCannotRun();
    List<String> command = new ArrayList<>();
    command.add(Child.java());
    command.add("-cp");
    command.add(core().toString());
    // A bare name that starts with "-" or "@" would be read as an option of java.
    command.add(file.getParent() == null ? Path.of(".").resolve(file).toString() : file.toString());
    command.addAll(arguments);
    return new Child(command).run(spec.commandLine().getErr());
  }

  private void refuseWhatCannotRun() {
    if (Files.isDirectory(file)) {
      throw unusable("is a directory", "Name the file in it that has the main method.");
    }
    if (!file.toString().endsWith(".java")) {
      throw unusable("is not a .java file", "Give the source of the program, not a class, a jar or its name alone.");
    }
    if (!Files.exists(file)) {
      throw unusable("does not exist", "Check the name, seen from " + Path.of("").toAbsolutePath() + ".");
    }
    if (!Files.isReadable(file)) {
      throw unusable("cannot be read", "Check its permissions, and those of the directories above it.");
    }
  }

  private ParameterException unusable(String what, String remedy) {
    return new ParameterException(
        spec.commandLine(),
        file + " " + what + "\n  Expected: one Java source file with a main method.\n  " + remedy);
  }

  /** The program gets the very core this command was built with. */
  private static Path core() {
    try {
      return Path.of(Semaphore.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the place of baton-core on the class path is not a file", e);
    }
  }
}

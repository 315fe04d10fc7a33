// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Starts the benchmark program in a JVM of its own: its peers stay off this class path, and its numbers are not those of
 * a JVM tuned for a quick start.
 */
@Command(
    name = "bench",
    description = "Measures Baton side by side with its peers; 'baton bench --help' shows the suites.",
    customSynopsis = "baton bench [SUITE...] [OPTION...]")
final class BenchCommand implements Callable<Integer> {
  /** The root of the checkout; the launcher script sets it. */
  static final String HOME = "baton.home";

  /** Set by the launcher script where a suite was asked for that lives in a module of its own: that module, which it has built. */
  static final String MORE = "baton.bench.more";

  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "ARGUMENT", description = "Handed to the benchmark program as they are.")
  private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    Path home = Path.of(System.getProperty(HOME, "")).toAbsolutePath();
    Path jar = home.resolve("bench").resolve("target").resolve("baton-bench.jar");
    if (!Files.isRegularFile(jar)) {
      err.println("baton bench: the benchmarks are not built: there is no " + jar);
      err.println("  Expected: the jar of the module 'bench' of a Baton checkout.");
      err.println("  Start it with the script 'baton' at the root of the checkout, which builds it, or build it there with");
      err.println("    mvn -Dquick -Dmaven.test.skip=true -pl bench -am package");
      return spec.exitCodeOnExecutionException();
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Child.java(),
                "-D" + HOME + "=" + home,
                "-D" + Colours.TERMINAL + "=" + Colours.isErrorTerminal(),
                // What JMH asks for; without it the JDK prints warnings into the results.
                "--sun-misc-unsafe-memory-access=allow"));
    String more = System.getProperty(MORE);
    if (more == null) {
      command.addAll(List.of("-jar", jar.toString()));
    } else {
      Path moreJar = home.resolve(more).resolve("target").resolve("baton-" + more + ".jar");
      command.addAll(List.of("-cp", jar + File.pathSeparator + moreJar, "dev.baton.bench.Main"));
    }
    command.addAll(arguments);
    return new Child(command).run(err);
  }
}

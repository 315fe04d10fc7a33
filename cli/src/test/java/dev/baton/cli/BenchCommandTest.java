// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
  @TempDir
  private Path home;

  @Test
  void withoutItsJarItSaysHowToBuildIt() {
    var bench = batonBench("list");

    assertThat(bench.exitCode()).isEqualTo(1);
    assertThat(bench.err())
        .contains("the benchmarks are not built", home.resolve("bench/target/baton-bench.jar").toString())
        .contains("mvn -Dquick -Dmaven.test.skip=true -pl bench -am package");
  }

  @Test
  void everyArgumentAndTheExitCodePassThrough() throws IOException {
    packBenchmarks();
    Path heard = home.resolve("heard.txt");

    var bench = batonBench(heard.toString(), "--help", "-f", "2", "@all");

    assertThat(bench.exitCode()).isEqualTo(7);
    assertThat(heard).hasContent("--help -f 2 @all");
  }

  @Test
  void anOptionMayComeFirst() throws IOException {
    packBenchmarks();
    Path heard = home.resolve("heard.txt");

    var bench = batonBench("--into=" + heard, "--help");

    assertThat(bench.exitCode()).isEqualTo(7);
    assertThat(heard).hasContent("--help");
  }

  private InProcess batonBench(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "bench";
    System.arraycopy(args, 0, all, 1, args.length);
    System.setProperty(BenchCommand.HOME, home.toString());
    try {
      return InProcess.baton(all);
    } finally {
      System.clearProperty(BenchCommand.HOME);
    }
  }

  /** A benchmark jar of the expected name and place, with {@link Listener} in it. */
  private void packBenchmarks() throws IOException {
    Path jar = home.resolve("bench/target/baton-bench.jar");
    Files.createDirectories(jar.getParent());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Listener.class.getName());
    String entry = Listener.class.getName().replace('.', '/') + ".class";
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest);
        var bytes = Listener.class.getClassLoader().getResourceAsStream(entry)) {
      out.putNextEntry(new JarEntry(entry));
      bytes.transferTo(out);
      out.closeEntry();
    }
  }

  /** Writes down the arguments it got after the first, which says where, and ends with 7. */
  static final class Listener {
    private Listener() {}

    public static void main(String[] args) throws IOException {
      Path heard = Path.of(args[0].substring(args[0].indexOf('=') + 1));
      Files.writeString(heard, String.join(" ", Arrays.asList(args).subList(1, args.length)));
      System.exit(7);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** Where, when and how a run was made: without it a figure says nothing. */
record Machine(List<String> lines) {
  static Machine here(String command, ZonedDateTime start) {
    var system = ManagementFactory.getOperatingSystemMXBean();
    int cores = Runtime.getRuntime().availableProcessors();
    return new Machine(
        List.of(
            "machine: %d cores%s, %s %s, %s"
                .formatted(cores, processor(), system.getName(), system.getVersion(), system.getArch()),
            "load at the start: " + load(system.getSystemLoadAverage()),
            "date: " + start.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm xxx", Locale.ROOT)),
            "command: " + command,
            "JVM: " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")));
  }

  /** The load average of the last minute counts others' work: well above zero, the figures are not worth much. */
  private static String load(double average) {
    return average < 0 ? "unknown" : Format.number(average);
  }

  /** The model of the processor, where the system tells it in the usual place. */
  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .findFirst()
          .map(line -> " of " + line.substring(line.indexOf(':') + 1).strip())
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine that this runs on. */
final class Machine {
  private Machine() {}

  /** Its name; asked of the system itself where that can be done, for the network may take long to answer. */
  static String name() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException notLinux) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException nameless) {
        return "?";
      }
    }
  }
}

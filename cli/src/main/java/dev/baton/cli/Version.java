// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Baton's version, and the Java that programs will run on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IOException("version.properties is missing from the jar");
      }
      build.load(in);
    }
    return new String[] {
      "baton " + build.getProperty("version"),
      "Java " + Runtime.version() + " in " + System.getProperty("java.home"),
    };
  }
}

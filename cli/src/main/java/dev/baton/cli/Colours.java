// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;

/** Colours are for terminals whose owner has not set {@code NO_COLOR}. */
final class Colours {
  /** Set by the launcher script if the error output is a terminal, which Java itself cannot find out. */
  static final String TERMINAL = "baton.terminal";

  private Colours() {}

  /** Whether somebody watches the error output. */
  static boolean isErrorTerminal() {
    return Boolean.getBoolean(TERMINAL);
  }

  /** For standard output. */
  static ColorScheme ofOutput() {
    return Help.defaultColorScheme(isWanted() ? Ansi.AUTO : Ansi.OFF);
  }

  /** For the error output, which may be a file while standard output is not. */
  static ColorScheme ofErrors() {
    return Help.defaultColorScheme(isWanted() && isErrorTerminal() ? Ansi.ON : Ansi.OFF);
  }

  private static boolean isWanted() {
    String no = System.getenv("NO_COLOR");
    return no == null || no.isEmpty();
  }
}

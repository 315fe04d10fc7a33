// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The command line that shows one schedule again, to be pasted into a shell. */
final class ReplayCommand {
  /** How the command was called; the launcher script sets it. */
  static final String NAME = "baton.command";

  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private ReplayCommand() {}

  static String of(Path file, String seed, List<String> options, List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(System.getProperty(NAME, "baton"), "check", file.toString(), "--seed", seed));
    words.addAll(options);
    if (arguments.stream().anyMatch(argument -> argument.startsWith("-"))) {
      words.add("--");
    }
    words.addAll(arguments);
    return words.stream().map(ReplayCommand::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}

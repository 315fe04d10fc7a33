// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command line in the documentation.
 *
 * @param place the page and the line that it stands in
 * @param line the command as it would be typed, without a prompt and without a remark behind it
 * @param output what the page says that it prints; empty if it does not say
 */
record ShownCommand(String place, String line, List<String> output) {
  private static final Pattern FENCE = Pattern.compile(" *(`{3,}) *(\\w*) *");
  private static final Pattern BATON = Pattern.compile("\\./baton(?: [^|>)#`]*)?");
  private static final Pattern INLINE = Pattern.compile("`(\\./baton [^`]+)`");
  private static final Pattern OTHER = Pattern.compile("(?:mvn|verify/\\S+)(?: .*)?");
  private static final Pattern BARE = Pattern.compile("(?:\\$ )?baton .*");
  private static final String PROMPT = "$ ";

  boolean isBaton() {
    return line.startsWith("./baton");
  }

  /** What follows the name of the command. None of those shown needs quotes. */
  List<String> words() {
    String[] words = line.split(" +");
    return List.of(words).subList(1, words.length);
  }

  /** All that the pages show, page by page: in blocks that are no Java, and, of Baton's own, in the text. */
  static List<ShownCommand> all() throws IOException {
    List<ShownCommand> found = new ArrayList<>();
    for (Path page : pages()) {
      found.addAll(inPage(Project.root().relativize(page).toString(), Files.readAllLines(page)));
    }
    return found;
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> top = Files.list(Project.root());
        Stream<Path> docs = Files.walk(Project.root().resolve("docs"))) {
      return Stream.concat(top.sorted(), docs.sorted()).filter(page -> page.toString().endsWith(".md")).toList();
    }
  }

  static List<ShownCommand> inPage(String page, List<String> lines) {
    List<ShownCommand> found = new ArrayList<>();
    String fence = "";
    String language = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String place = page + ":" + (i + 1);
      Matcher edge = FENCE.matcher(line);
      if (edge.matches() && (fence.isEmpty() || edge.group(1).equals(fence))) {
        language = edge.group(2);
        fence = fence.isEmpty() ? edge.group(1) : "";
      } else if (fence.isEmpty()) {
        INLINE.matcher(line).results().forEach(hit -> found.add(new ShownCommand(place, hit.group(1).strip(), List.of())));
      } else if (language.isEmpty()) {
        inBlock(place, line, outputBelow(lines, i)).forEach(found::add);
      }
    }
    return found;
  }

  private static Stream<ShownCommand> inBlock(String place, String line, List<String> output) {
    if (BARE.matcher(line).matches()) {
      throw new AssertionError(place + ": write ./baton, so that it can be pasted: " + line);
    }
    boolean typed = line.startsWith(PROMPT);
    String command = typed ? line.substring(PROMPT.length()) : line;
    if (OTHER.matcher(command).matches()) {
      // Two blanks separate a command from what it does.
      return Stream.of(new ShownCommand(place, command.split(" {2,}|#", 2)[0].strip(), List.of()));
    }
    return BATON.matcher(command).results()
        .map(hit -> new ShownCommand(place, hit.group().strip(), typed ? output : List.of()));
  }

  private static List<String> outputBelow(List<String> lines, int command) {
    return lines.subList(command + 1, lines.size()).stream()
        .takeWhile(line -> !line.startsWith(PROMPT) && !FENCE.matcher(line).matches())
        .toList();
  }
}

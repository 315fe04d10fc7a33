// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ScriptOutputType;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script does the usual things in its first lines, where it keeps few holders as a text, and everything in the rest, alone and with others in one
 * call. However it is called, the answers are the same, and so are the grants it tells of: a random history is played in all these ways, and compared
 * answer by answer.
 */
@SuppressWarnings("NullAway.Init")
class ScriptPathsTest {
  private static final Keys KEYS = new Keys("paths");
  private static final List<String> PROCESSES = List.of("p1", "p2");
  private static final int OPERATIONS = 1_200;
  private static final int LONGEST_LINE = 40;
  private static final List<String> HOW = List.of("released", "released", "released", "cancelled", "timedout", "bare");
  @AutoClose private static final TestServer server = new TestServer();
  private static final String CLAIM = "local CLAIM = 5000";

  /** Nothing in a history ends by itself, however slow the machine is: its times, and that to claim a grant, are a thousand times what is usual. */
  private static final String WINDOW = "30000000";

  private static final String TTL = "60000000";
  private static String script;

  @BeforeAll
  static void start() throws Exception {
    try (InputStream in = Objects.requireNonNull(Script.class.getResourceAsStream("lease.lua"))) {
      String shipped = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(shipped).contains(CLAIM);
      script = shipped.replace(CLAIM, CLAIM + "000");
    }
  }

  /** An operation of a process on a name. */
  private record Operation(String process, String name, List<String> words) {}

  /** By turns one at a time holds and nobody waits, there is a crowd, and there is one with nothing unusual about it. */
  private static List<Operation> history(long seed) {
    Random random = new Random(seed);
    List<Operation> all = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      String name = "n" + random.nextInt(2);
      String process = PROCESSES.get(random.nextInt(4) == 0 ? 1 : 0);
      int phase = i / 100 % 3;
      int kind = phase == 2 ? random.nextInt(8) : random.nextInt(11);
      if (ids.isEmpty() || kind < (phase == 0 ? 3 : ids.size() > LONGEST_LINE ? 2 : 5)) {
        ids.add(name + "-" + i);
        all.add(new Operation(process, name, acquire(ids.getLast(), random)));
      } else {
        String id = ids.get(random.nextInt(ids.size()));
        String of = id.substring(0, 2);
        if (kind < 8) {
          // Mostly whoever came first.
          String over = random.nextInt(4) == 0 ? id : ids.stream().filter(one -> one.startsWith(of)).findFirst().orElse(id);
          int other = random.nextInt(8);
          if (other < 2) {
            all.add(new Operation(process, of, List.of("claim", over, WINDOW)));
          } else if (other == 2) {
            // Whoever is about first in line asks once more.
            List<String> same = ids.stream().filter(one -> one.startsWith(of)).toList();
            all.add(new Operation(process, of, acquire(same.get(Math.min(same.size() - 1, random.nextInt(6))), random)));
          } else {
            all.add(new Operation(process, of, List.of("release", HOW.get(random.nextInt(HOW.size())), over)));
            ids.remove(over);
          }
        } else if (kind == 8) {
          all.add(new Operation(process, of, acquire(id, random))); // once more
        } else if (kind == 9) {
          all.add(new Operation(process, of, List.of("beat", id, WINDOW)));
        } else {
          all.add(new Operation(process, of, List.of("inspect", "0", "100")));
        }
      }
    }
    return all;
  }

  private static List<String> acquire(String id, Random random) {
    List<String> words = new ArrayList<>(List.of("acquire", id, id.startsWith("n0") ? "2" : "4", WINDOW, random.nextBoolean() ? "0" : TTL));
    int more = random.nextInt(8);
    if (more < 2) {
      words.addAll(List.of(more == 0 ? "try" : "wait", "label " + id + "\n100% \"of\" it"));
    } else if (more == 2) {
      words.addAll(List.of("wait", "", "2", "ERROR", TTL));
    }
    return words;
  }

  /** In how many ways operations are sent. */
  enum Way {
    /** Each in a call of its own: the usual ones are done at the top. */
    ALONE,
    /** Each after another that changes nothing but the form: none is done at the top. */
    IN_THE_LONG_FORM,
    /** Up to eight of one process in one call, as they come. */
    TOGETHER
  }

  private static List<String> play(List<Operation> operations, Way way) {
    server.admin().flushall();
    List<String> answers = new ArrayList<>();
    List<String> told = new ArrayList<>();
    for (int from = 0; from < operations.size(); ) {
      int to = from + 1;
      while (way == Way.TOGETHER
          && to < Math.min(operations.size(), from + 8)
          && operations.get(to).process().equals(operations.get(from).process())
          && operations.get(to).name().equals(operations.get(from).name())) {
        to++;
      }
      answers.addAll(call(operations.subList(from, to), way, told));
      from = to;
    }
    for (String name : List.of("n0", "n1")) {
      answers.add(name + " " + server.admin().hlen("paths:{" + name + "}:cfg") + counts(name));
    }
    answers.addAll(told);
    return answers;
  }

  private static List<String> call(List<Operation> operations, Way way, List<String> told) {
    int before = way == Way.IN_THE_LONG_FORM ? 1 : 0;
    List<Object> answers = eval(operations, before);
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      shown.add(operations.get(i) + " -> " + shown(operations.get(i), answers.get(before + i)));
    }
    if (answers.size() > before + operations.size()) {
      for (Object one : (List<?>) answers.getLast()) {
        String[] words = one.toString().split(" ", -1);
        told.add("told " + words[0] + " slots " + words[2] + " of " + words[3]);
      }
    }
    return shown;
  }

  /** Their answers, after those to so many that change nothing but the form. */
  private static List<Object> eval(List<Operation> operations, int before) {
    Operation first = operations.getFirst();
    List<String> arguments = new ArrayList<>(List.of("to:", first.process()));
    arguments.add(Integer.toString(operations.size() + before));
    if (before > 0) {
      arguments.addAll(List.of("beat", "2", "nobody", "30000"));
    }
    for (Operation operation : operations) {
      arguments.add(operation.words().getFirst());
      arguments.add(Integer.toString(operation.words().size() - 1));
      arguments.addAll(operation.words().subList(1, operation.words().size()));
    }
    return server.admin().eval(script, ScriptOutputType.MULTI, KEYS.of(first.name()), arguments.toArray(String[]::new));
  }

  /** Without tokens and moments. */
  private static String shown(Operation operation, Object answer) {
    List<String> words = operation.words();
    if (answer instanceof String grant) {
      String[] parts = grant.split(" ", -1);
      return "G slots " + (parts.length == 1 ? "1" : parts[1]) + ", " + (words.get(4).equals("0") ? "no end" : "an end");
    }
    if (answer instanceof Long) {
      return words.getFirst().equals("acquire") ? "W" : "[RELEASED]";
    }
    List<?> list = (List<?>) answer;
    return switch (String.valueOf(list.getFirst())) {
      case "G" -> "G slots " + list.get(2) + ", " + ((Long) list.get(3) < 0 ? "no end" : "an end");
      default -> words.getFirst().equals("inspect")
          ? page(list)
          : list.getFirst() instanceof Long left && left >= 0 ? "it lasts" : list.toString();
    };
  }

  /** Who holds and who waits, with labels and all that is no moment. */
  private static String page(List<?> page) {
    StringBuilder text = new StringBuilder("limit " + page.get(0) + " used " + page.get(1) + " counts " + page.get(6));
    TreeSet<String> holders = new TreeSet<>();
    each((List<?>) page.get(7), (id, f) ->
        holders.add("\n  holds " + id + " " + f.get(0) + " " + f.get(1) + " " + !f.get(3).equals("0") + " " + f.subList(4, 6) + f.subList(7, f.size())));
    holders.forEach(text::append);
    each((List<?>) page.get(8), (id, f) -> text.append("\n  waits " + id + " " + f.subList(0, 5)));
    return text.toString();
  }

  private static void each(List<?> rows, BiConsumer<String, List<String>> action) {
    for (int i = 0; i < rows.size(); i += 3) {
      action.accept((String) rows.get(i), Json.array((String) rows.get(i + 1)));
    }
  }

  private static String counts(String name) {
    List<Object> all =
        server.admin().eval(script, ScriptOutputType.MULTI, KEYS.of(name), "to:", "p3", "1", "inspect", "2", "0", "100");
    return page((List<?>) all.getFirst());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theSameHistoryHasTheSameAnswersHoweverItIsSent(long seed) {
    List<Operation> history = history(seed);
    List<String> alone = play(history, Way.ALONE);
    assertThat(alone).hasSizeGreaterThan(OPERATIONS);
    assertThat(play(history, Way.IN_THE_LONG_FORM)).containsExactlyElementsOf(alone);
    assertThat(play(history, Way.TOGETHER)).containsExactlyElementsOf(alone);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void thoseWhoHaveDiedInLineAreSkippedHoweverManyTheyAre(Way way) {
    List<String> told = begin(way);
    for (String id : List.of("n0-a", "n0-b")) {
      call(List.of(new Operation("p1", "n0", List.of("acquire", id, "2", "30000", "0"))), way, told);
    }
    for (String id : List.of("n0-1", "n0-2", "n0-3", "n0-4", "n0-5")) {
      call(List.of(new Operation("p1", "n0", List.of("acquire", id, "2", "1", "0"))), way, told);
    }
    for (String id : List.of("n0-c", "n0-d", "n0-e")) {
      call(List.of(new Operation("p1", "n0", List.of("acquire", id, "2", "30000", "0"))), way, told);
    }
    long since = millis();
    while (millis() < since + 3) {
      Thread.onSpinWait(); // their time passes
    }
    List<Operation> releases =
        List.of(
            new Operation("p1", "n0", List.of("release", "released", "n0-a")),
            new Operation("p1", "n0", List.of("release", "released", "n0-b")));
    if (way == Way.TOGETHER) {
      call(releases, way, told);
    } else {
      releases.forEach(one -> call(List.of(one), way, told));
    }
    assertThat(told).containsExactly("told n0-c slots 1 of 2", "told n0-d slots 2 of 2");
    assertThat(counts("n0")).contains("used 2", "holds n0-c", "holds n0-d", "waits n0-e").doesNotContain("n0-1", "n0-5");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void oneWhoAsksOnceMoreInTheCallThatServesItHasNoSecondPlace(Way way) {
    List<String> told = begin(way);
    for (String id : List.of("n0-a", "n0-b", "n0-c", "n0-d")) {
      call(List.of(new Operation("p1", "n0", List.of("acquire", id, "2", "30000", "0"))), way, told);
    }
    List<Operation> operations =
        List.of(
            new Operation("p1", "n0", List.of("acquire", "n0-c", "2", "30000", "0")),
            new Operation("p1", "n0", List.of("release", "released", "n0-a")),
            new Operation("p1", "n0", List.of("release", "released", "n0-c")),
            new Operation("p1", "n0", List.of("release", "released", "n0-d")));
    if (way == Way.TOGETHER) {
      call(operations, way, told);
    } else {
      operations.forEach(one -> call(List.of(one), way, told));
    }
    assertThat(told).containsExactly("told n0-c slots 1 of 2", "told n0-d slots 1 of 2");
    assertThat(counts("n0")).contains("used 1", "holds n0-b").doesNotContain("n0-c", "n0-d");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void nobodyIsKeptForLongByManyWhoHaveDiedInLine(Way way) {
    List<String> told = begin(way);
    call(List.of(acquire("n0-a"), acquire("n0-b")), way, told);
    List<Operation> dying = new ArrayList<>();
    for (int i = 0; i < 9_000; i++) {
      dying.add(new Operation("p2", "n0", List.of("acquire", "n0-" + i, "2", "1", "0")));
    }
    for (int from = 0; from < dying.size(); from += 100) {
      call(dying.subList(from, from + 100), way, told);
    }
    call(List.of(acquire("n0-last")), way, told);
    long since = millis();
    while (millis() < since + 3) {
      Thread.onSpinWait(); // their time passes
    }
    assertThat(call(List.of(new Operation("p1", "n0", List.of("release", "released", "n0-a"))), way, told))
        .singleElement().asString().endsWith("[RELEASED]");
    int looks = 0;
    while (told.isEmpty()) {
      List<Object> answer = eval(List.of(acquire("n0-last")), 0);
      if (answer.getFirst() instanceof Long soon) {
        assertThat(soon).as("it is to look again soon").isZero();
        looks++;
      } else {
        told.add("told n0-last");
      }
    }
    assertThat(looks).isLessThan(9_000 / 64 + 2);
    assertThat(counts("n0")).contains("used 2", "holds n0-b", "holds n0-last").doesNotContain("waits");
  }

  private static Operation acquire(String id) {
    return new Operation("p1", "n0", List.of("acquire", id, "2", "30000", "0"));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theLineIsNotLookedThroughFromItsBeginningHoweverItBegan(Way way) {
    server.admin().flushall();
    for (int round = 0; round < 2; round++) { // the name is not known; it is
      for (String id : List.of("n0-a", "n0-b", "n0-c")) {
        call(List.of(new Operation("p1", "n0", List.of("acquire", id, "2", "30000", "0"))), way, new ArrayList<>());
      }
      assertThat(server.admin().objectEncoding("paths:{n0}:wait")).isEqualTo("skiplist");
      for (String id : List.of("n0-a", "n0-b", "n0-c")) {
        call(List.of(new Operation("p1", "n0", List.of("release", "released", id))), way, new ArrayList<>());
      }
      assertThat(server.admin().exists("paths:{n0}:wait")).isZero();
    }
  }

  /** A name that is known and that nobody holds: whoever comes next does so in the short form, if that is the way. */
  private static List<String> begin(Way way) {
    server.admin().flushall();
    List<String> told = new ArrayList<>();
    call(List.of(new Operation("p1", "n0", List.of("acquire", "n0-0", "2", "30000", "0"))), way, told);
    call(List.of(new Operation("p1", "n0", List.of("release", "released", "n0-0"))), way, told);
    return told;
  }

  private static long millis() {
    List<String> time = server.admin().time();
    return Long.parseLong(time.get(0)) * 1_000 + Long.parseLong(time.get(1)) / 1_000;
  }
}

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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script does the usual things in its first lines and everything in the rest, alone and with others in one call. However it is called, the
 * answers are the same: a random history is played in all these ways, and compared answer by answer.
 */
@SuppressWarnings("NullAway.Init")
class ScriptPathsTest {
  private static final Keys KEYS = new Keys("paths");
  private static final List<String> PROCESSES = List.of("p1", "p2");
  private static final int OPERATIONS = 600;
  @AutoClose private static final TestServer server = new TestServer();
  private static String script;

  @BeforeAll
  static void start() throws Exception {
    try (InputStream in = Objects.requireNonNull(Script.class.getResourceAsStream("lease.lua"))) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** An operation of a process on a name. */
  private record Operation(String process, String name, List<String> words) {}

  /** Mostly one at a time holds and nobody waits; now and then there is a crowd. */
  private static List<Operation> history(long seed) {
    Random random = new Random(seed);
    List<Operation> all = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      String name = "n" + random.nextInt(2);
      String process = PROCESSES.get(random.nextInt(4) == 0 ? 1 : 0);
      boolean crowd = i / 50 % 2 == 1;
      int kind = random.nextInt(10);
      if (ids.isEmpty() || kind < (crowd ? 5 : 3)) {
        ids.add(name + "-" + i);
        all.add(new Operation(process, name, acquire(ids.getLast(), random)));
      } else {
        String id = ids.get(random.nextInt(ids.size()));
        String of = id.substring(0, 2);
        if (kind < 8) {
          all.add(new Operation(process, of, List.of("release", List.of("released", "cancelled", "bare").get(random.nextInt(3)), id)));
          ids.remove(id);
        } else if (kind == 8) {
          all.add(new Operation(process, of, acquire(id, random))); // once more
        } else {
          all.add(new Operation(process, of, List.of("beat", id, "30000")));
        }
      }
    }
    return all;
  }

  private static List<String> acquire(String id, Random random) {
    List<String> words = new ArrayList<>(List.of("acquire", id, "2", "30000", random.nextBoolean() ? "0" : "60000"));
    int more = random.nextInt(4);
    if (more > 1) {
      words.addAll(List.of(more == 2 ? "try" : "wait", "label " + id));
    }
    return words;
  }

  /** In how many ways operations are sent. */
  private enum Way {
    /** Each in a call of its own: the usual ones are done at the top. */
    ALONE,
    /** Each with another that changes nothing: none is done at the top. */
    WITH_NOTHING,
    /** Up to eight of one process in one call, as they come. */
    TOGETHER
  }

  private static List<String> play(List<Operation> operations, Way way) {
    server.admin().flushall();
    List<String> answers = new ArrayList<>();
    for (int from = 0; from < operations.size(); ) {
      int to = from + 1;
      while (way == Way.TOGETHER
          && to < Math.min(operations.size(), from + 8)
          && operations.get(to).process().equals(operations.get(from).process())
          && operations.get(to).name().equals(operations.get(from).name())) {
        to++;
      }
      answers.addAll(call(operations.subList(from, to), way));
      from = to;
    }
    for (String name : List.of("n0", "n1")) {
      answers.add(name + " " + server.admin().hlen("paths:{" + name + "}:cfg") + counts(name));
    }
    return answers;
  }

  private static List<String> call(List<Operation> operations, Way way) {
    Operation first = operations.getFirst();
    List<String> arguments = new ArrayList<>(List.of("to:", first.process()));
    arguments.add(Integer.toString(operations.size() + (way == Way.WITH_NOTHING ? 1 : 0)));
    for (Operation operation : operations) {
      arguments.add(operation.words().getFirst());
      arguments.add(Integer.toString(operation.words().size() - 1));
      arguments.addAll(operation.words().subList(1, operation.words().size()));
    }
    if (way == Way.WITH_NOTHING) {
      arguments.addAll(List.of("claim", "2", "nobody", "30000"));
    }
    List<Object> answers =
        server.admin().eval(script, ScriptOutputType.MULTI, KEYS.of(first.name()), arguments.toArray(String[]::new));
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      shown.add(operations.get(i) + " -> " + shown(operations.get(i), answers.get(i)));
    }
    return shown;
  }

  /** Without tokens and moments. */
  private static String shown(Operation operation, Object answer) {
    if (answer instanceof String) {
      return "G slots 1, " + (operation.words().get(4).equals("0") ? "no end" : "an end");
    }
    if (answer instanceof Long) {
      return "[RELEASED]";
    }
    List<?> list = (List<?>) answer;
    return switch (String.valueOf(list.getFirst())) {
      case "G" -> "G slots " + list.get(2) + ", " + ((Long) list.get(3) < 0 ? "no end" : "an end");
      case "W" -> "W";
      default -> list.getFirst() instanceof Long left && left >= 0 ? "it lasts" : list.toString();
    };
  }

  private static String counts(String name) {
    List<Object> all =
        server.admin().eval(script, ScriptOutputType.MULTI, KEYS.of(name), "to:", "p3", "1", "inspect", "2", "0", "0");
    List<?> page = (List<?>) all.getFirst();
    return " limit " + page.get(0) + " used " + page.get(1) + " holders " + page.get(2) + " waiting " + page.get(3) + " counts " + page.get(6);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theSameHistoryHasTheSameAnswersHoweverItIsSent(long seed) {
    List<Operation> history = history(seed);
    List<String> alone = play(history, Way.ALONE);
    assertThat(alone).hasSizeGreaterThan(OPERATIONS);
    assertThat(play(history, Way.WITH_NOTHING)).containsExactlyElementsOf(alone);
    assertThat(play(history, Way.TOGETHER)).containsExactlyElementsOf(alone);
  }
}

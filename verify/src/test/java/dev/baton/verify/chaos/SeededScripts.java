// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.redis.RedisLeases;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The script with a bug in it, given to real processes: half a minute has to find it. Not part of the normal build: {@code verify/chaos --bugs}. */
class SeededScripts {
  private static final long SEED = 20261116;
  private static final Duration LENGTH = Duration.ofSeconds(30);

  /** One text in the script becomes another, or several do, by turns; the check {@code law} has to notice. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Bug(String what, String law, String... texts) {
    String in(String script) {
      String text = script;
      for (int i = 0; i < texts.length; i += 2) {
        assertThat(text).as("the script, in which %s shall be", what).contains(texts[i]);
        text = text.replace(texts[i], texts[i + 1]);
      }
      return text;
    }
  }

  private static final List<Bug> BUGS =
      List.of(
          new Bug("the last in line is served first", "Order",
              "local id = call('ZRANGE', WAIT, 0, 0)[1]\n    if not id", "local id = call('ZREVRANGE', WAIT, 0, 0)[1]\n    if not id",
              "ids = call('ZRANGE', WAIT, #gone", "ids = call('ZREVRANGE', WAIT, #gone"),
          new Bug("a renewal lasts for less than its holder believes", "Capacity",
              "  local deadline = now + window\n  local hard = tonumber(meta[4])", "  local deadline = now + window - 1500\n  local hard = tonumber(meta[4])"),
          new Bug("tokens begin anew with the data", "Token",
              "math.max(token + 1, micros, now * 1000)", "token + 1",
              "math.max(token + 1, micros)", "token + 1"),
          new Bug("a newcomer is served though others wait", "Order",
              "if first and permits <= limit - used then", "if permits <= limit - used then"),
          new Bug("a lease that is over is not counted as given back", "Conservation",
              "  used = used - meta[1]\n", "  if how ~= 'expired' then used = used - meta[1] end\n"),
          new Bug("the next is served before one whose lease is revoked knows", "Capacity",
              "    meta[11] = PROCESS\n    call('HSET', HELD, id, cjson.encode(meta))\n    tell(meta[5], 'LOST', id)\n",
              "    drop(id, 'revoked')\n    pump()\n"),
          new Bug("one who is told of a grant by an answer is believed to be gone at once", "Capacity",
              "math.min(tonumber(window), CLAIM))", "(how == 'told' and 30 or math.min(tonumber(window), CLAIM)))",
              "math.min(NOW + window, NOW + CLAIM, hard)", "NOW + 30"),
          new Bug("a lease in the short form is forgotten on the way to the long one", "Conservation",
              "    call('SETBIT', SLOT, slot - 1, 1)\n",
              "    call('SETBIT', SLOT, slot - 1, 1)\n    call('ZREM', HOLD, id)\n    call('HDEL', HELD, id)\n"),
          new Bug("a lease in the long form is forgotten on the way to the short one", "Conservation",
              "  return ' ' .. ids[2] .. ' '", "  table.remove(lines)\n  return ' ' .. ids[2] .. ' '"),
          new Bug("one who is served keeps its place in the line", "Order",
              "        call('ZREM', WAIT, unpack(gone))\n", ""));

  @TempDir
  private Path directory;

  @TestFactory
  Stream<DynamicTest> everyBugInTheScriptIsFound() {
    return BUGS.stream().map(bug -> DynamicTest.dynamicTest(bug.what(), () -> requireFound(bug)));
  }

  private void requireFound(Bug bug) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(directory, "bug");
    Path script = work.resolve("classes/dev/baton/lease/redis/lease.lua");
    Files.createDirectories(script.getParent());
    Files.writeString(script, put(bug));
    List<Plan.Strike> plan = Plan.of(SEED, LENGTH, 3, 300, 900);
    Report report;
    try (Chaos chaos = new Chaos(SEED, 3, 4, work, work.resolve("classes"));
        Progress progress = Progress.of("bug " + (BUGS.indexOf(bug) + 1) + " of " + BUGS.size(), plan.size(), LENGTH)) {
      report = chaos.run(plan, progress);
    }
    boolean found = report.violations().stream().anyMatch(text -> text.startsWith(bug.law()));
    System.out.printf("%-8s  %s: %d violations%n", found ? "FOUND" : "MISSED", bug.what(), report.violations().size());
    assertThat(report.violations()).as(bug.what()).anyMatch(text -> text.startsWith(bug.law()));
  }

  private static String put(Bug bug) throws IOException {
    try (InputStream in = Objects.requireNonNull(RedisLeases.class.getResourceAsStream("lease.lua"))) {
      return bug.in(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}

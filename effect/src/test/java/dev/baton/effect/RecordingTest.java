// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static dev.baton.effect.Effects.attempt;
import static dev.baton.effect.Effects.await;
import static dev.baton.effect.Effects.cancel;
import static dev.baton.effect.Effects.gather;
import static dev.baton.effect.Effects.join;
import static dev.baton.effect.Effects.now;
import static dev.baton.effect.Effects.perform;
import static dev.baton.effect.Effects.sleep;
import static dev.baton.effect.Effects.spawn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.runtime.Policy;
import dev.baton.scope.Task;
import dev.baton.sync.Result;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTest extends OnBothEngines {

  record Fetch(String url) implements Effect<String> {}

  private final List<String> asked = new ArrayList<>();

  private final Handlers network =
      Handlers.of(
          Fetch.class,
          fetch -> {
            asked.add(fetch.url());
            sleep(Duration.ofMillis(fetch.url().length() * 37L % 11));
            if (fetch.url().contains("missing")) {
              throw new IOException("404 " + fetch.url());
            }
            return "page " + asked.size() + " of " + fetch.url();
          });

  private Recording record(Recorder recorder, Program<?> program) throws Exception {
    runner().handlers(Handlers.defaults().with(network).with(recorder.handlers())).run(program).orThrow();
    asked.clear();
    return recorder.recording();
  }

  private <T> RunResult<T> replay(Recording recording, Program<T> program) {
    return runner().handlers(Handlers.defaults().with(recording.replay())).run(program);
  }

  @Test
  void aReplayGivesTheSameAnswersAndErrorsWithoutTheHandlers() throws Exception {
    List<Object> seen = new ArrayList<>();
    Program<Object> program =
        () -> {
          seen.add(perform(new Fetch("/")));
          seen.add(perform(new Fetch("/")));
          seen.add(((Result.Err<?>) attempt(() -> perform(new Fetch("/missing")))).error().getMessage());
          return null;
        };
    Recording recording = record(Recorder.create().of(Fetch.class), program);
    List<Object> first = List.copyOf(seen);
    seen.clear();
    assertThat(replay(recording, program).error()).isEmpty();
    assertThat(replay(recording, program).error()).as("a recording can be replayed again").isEmpty();
    assertThat(seen.subList(0, 3)).isEqualTo(first);
    assertThat(seen.subList(3, 6)).isEqualTo(first);
    assertThat(asked).as("asked in a replay").isEmpty();
    assertThat(recording.entries()).extracting(Recording.Entry::key).containsExactly(new Fetch("/"), new Fetch("/"), new Fetch("/missing"));
  }

  /** Tasks whose children are spawned in an order that depends on the schedule. */
  private static List<String> crawl() {
    List<Task<String>> tasks = new ArrayList<>();
    for (String page : List.of("a", "bbb", "ccccc", "dd")) {
      tasks.add(
          spawn(
              () -> {
                String first = perform(new Fetch(page));
                Task<String> child = spawn(() -> perform(new Fetch(page + page)));
                return first + join(child);
              }));
    }
    return gather(tasks);
  }

  @Test
  void eachTaskFindsItsOwnAnswersWhateverTheSchedule() throws Exception {
    Recorder recorder = Recorder.create().of(Fetch.class);
    List<String> expected = new ArrayList<>();
    Recording recording = record(recorder, () -> expected.addAll(crawl()));
    assertThat(recording.entries()).hasSize(8);
    for (int seed = 0; seed < 20; seed++) {
      assertThat(
              runner()
                  .policy(Policy.seeded(seed))
                  .handlers(Handlers.defaults().with(recording.replay()))
                  .run(RecordingTest::crawl)
                  .value())
          .isEqualTo(expected);
    }
  }

  @Test
  void anotherEffectThanTheRecordedOneIsNamedWithItsPosition() throws Exception {
    Recording recording = record(Recorder.create().of(Fetch.class), () -> perform(new Fetch("/a")) + perform(new Fetch("/b")));
    Program<String> other = () -> perform(new Fetch("/a")) + perform(new Fetch("/c"));
    assertThat(replay(recording, other).error())
        .hasValueSatisfying(
            error ->
                assertThat(error)
                    .isInstanceOfSatisfying(ReplayDivergedException.class, diverged -> assertThat(diverged.position()).isEqualTo(2))
                    .hasMessageContaining("effect 2 of main")
                    .hasMessageContaining("Fetch[url=/b]")
                    .hasMessageContaining("Fetch[url=/c]"));
    Program<String> longer = () -> perform(new Fetch("/a")) + perform(new Fetch("/b")) + perform(new Fetch("/b"));
    assertThat(replay(recording, longer).error())
        .hasValueSatisfying(error -> assertThat(error).hasMessageContaining("effect 3").hasMessageContaining("nothing any more"));
    Program<String> shorter = () -> perform(new Fetch("/a"));
    assertThat(replay(recording, shorter).error()).isEmpty();
  }

  @Test
  void effectsOfThisPackageCanBeRecordedToo() throws Exception {
    Program<List<Object>> program = () -> List.of(now(), await(() -> asked.size() + 42), Effects.<Instant>perform(new GetTime()));
    Recorder recorder = Recorder.create().of(GetTime.class).of(Await.class);
    List<Object> first = runner().handlers(Handlers.defaults().with(recorder.handlers())).run(program).value();
    asked.add("so that the work would give something else");
    List<Object> again =
        runner()
            .clock(dev.baton.runtime.Clock.virtual(Instant.ofEpochSecond(999)))
            .handlers(Handlers.defaults().with(recorder.recording().replay()))
            .run(program)
            .value();
    assertThat(again).isEqualTo(first);
  }

  @Test
  void aKeySaysWhatHasToBeEqual() throws Exception {
    Recorder recorder = Recorder.create().of(Fetch.class, fetch -> fetch.url().length());
    Recording recording = record(recorder, () -> perform(new Fetch("/a")));
    assertThat(replay(recording, () -> perform(new Fetch("/b"))).value()).isEqualTo("page 1 of /a");
    assertThat(replay(recording, () -> perform(new Fetch("/long"))).error())
        .hasValueSatisfying(error -> assertThat(error).isInstanceOf(ReplayDivergedException.class).hasMessageContaining("Fetch of 2"));
  }

  @Test
  void whatWasCancelledBeforeItsAnswerIsCancelledAgain() throws Exception {
    Program<String> program =
        () -> {
          Task<String> slow = spawn(() -> perform(new Fetch("/slow page")));
          Effects.yieldNow();
          Effects.yieldNow();
          cancel(slow);
          return attempt(() -> join(slow)).isOk() ? "answered" : "cancelled";
        };
    Recording recording = record(Recorder.create().of(Fetch.class), program);
    assertThat(recording.entries()).singleElement().satisfies(entry -> assertThat(entry.answer()).isEmpty());
    assertThat(replay(recording, program).value()).isEqualTo("cancelled");
  }

  @Test
  void whatBelongsToItsOwnRunIsRefused() {
    assertThatThrownBy(() -> Recorder.create().of(CreatePromise.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("CreatePromise");
    assertThatThrownBy(() -> Recorder.create().of(Fetch.class).of(Fetch.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("already");
  }
}

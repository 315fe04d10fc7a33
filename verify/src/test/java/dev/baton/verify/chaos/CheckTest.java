// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import static dev.baton.verify.chaos.ServerEvent.Kind.COUNTED;
import static dev.baton.verify.chaos.ServerEvent.Kind.DROPPED;
import static dev.baton.verify.chaos.ServerEvent.Kind.ENTERED;
import static dev.baton.verify.chaos.ServerEvent.Kind.GRANTED;
import static dev.baton.verify.chaos.ServerEvent.Kind.KEPT;
import static dev.baton.verify.chaos.ServerEvent.Kind.LEFT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lease.LeaseStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks find what they are there for: a history made by hand is good, and bad once one thing in it is changed. */
class CheckTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long WINDOW = Resource.WINDOW.toNanos();

  private final History history = new History();
  private final List<ServerEvent> events = new ArrayList<>();
  private long step;

  @TempDir
  private Path directory;

  @BeforeEach
  void begin() {
    history.epochs.add(new Epoch(null, 0, new TreeMap<>(), events));
  }

  // ---- how a history is told ----

  private void call() {
    step++;
  }

  private void did(ServerEvent.Kind kind, String id, long number) {
    events.add(new ServerEvent(kind, step, "solo", id, number, kind == GRANTED ? 1 : 0));
  }

  private void granted(String id, long token) {
    did(KEPT, id, 100);
    did(GRANTED, id, token);
  }

  private Tenure held(String id, long token, long asked, long got, long validUntil) {
    Tenure tenure = new Tenure("solo", id, 1, token, asked, got);
    tenure.validUntil = validUntil;
    tenure.ending = validUntil;
    tenure.ended = "RELEASED";
    history.tenures.add(tenure);
    return tenure;
  }

  /** a holds, b and c wait, a hands over to b, b to c, c releases. */
  private void story() {
    call();
    granted("a", 10);
    did(COUNTED, "", 1);
    call();
    did(ENTERED, "b", 1);
    call();
    did(ENTERED, "c", 2);
    call();
    did(DROPPED, "a", 0);
    did(LEFT, "b", 0);
    granted("b", 20);
    did(COUNTED, "", 1);
    call();
    did(DROPPED, "b", 0);
    did(LEFT, "c", 0);
    granted("c", 30);
    did(COUNTED, "", 1);
    call();
    did(DROPPED, "c", 0);
    did(COUNTED, "", 0);
    held("a", 10, 0, 10, 50);
    held("b", 20, 20, 60, 80);
    held("c", 30, 30, 90, 95);
  }

  private void next(Fault why, long cut, Map<String, Snapshot> initial, List<ServerEvent> then) {
    history.epochs.add(new Epoch(why, cut, new TreeMap<>(initial), then));
  }

  private static Map<String, Snapshot> knows(@Nullable String id, long token, long deadline) {
    Snapshot snapshot = new Snapshot();
    if (id != null) {
      snapshot.held.put(id, new Snapshot.Held(1, token, deadline));
    }
    return new TreeMap<>(Map.of("solo", snapshot));
  }

  private void assertFound(String... texts) {
    assertThat(Check.all(history)).anySatisfy(text -> assertThat(text).contains(texts));
  }

  // ---- good ones ----

  @Test
  void aGoodHistoryIsGood() {
    story();
    assertThat(Check.all(history)).isEmpty();
    assertThat(HandOvers.of(history).nanos()).containsExactly(10L, 10L);
  }

  @Test
  void whatAServerHasForgottenMayOverlapForAWindow() {
    granted("a", 10);
    next(Fault.RESTART_EMPTY, SECOND, knows(null, 0, 0), List.of(
        new ServerEvent(GRANTED, 1, "solo", "b", 20, 1), new ServerEvent(DROPPED, 2, "solo", "b", 0, 0)));
    held("a", 10, 0, 5, SECOND + WINDOW);
    held("b", 20, SECOND, SECOND + 5, 2 * SECOND);
    assertThat(Check.all(history)).isEmpty();
    assertThat(OverAdmission.of(history)).isEqualTo(new OverAdmission(1, SECOND - 5));
  }

  // ---- bad ones ----

  @Test
  void twoValidAtOnceAreFound() {
    story();
    history.tenures.get(0).validUntil = 60;
    assertFound("Capacity", "2 permits were valid at once", "solo a", "solo b");
  }

  @Test
  void aServerThatGrantsTooManyIsFound() {
    granted("a", 10);
    granted("b", 20);
    assertFound("Capacity", "granted b", "when 1 of 1");
  }

  @Test
  void whatWasForgottenAndLastsLongerThanAWindowIsFound() {
    granted("a", 10);
    next(Fault.FAIL_OVER, SECOND, knows(null, 0, 0), List.of());
    held("a", 10, 0, 5, SECOND + WINDOW + 1);
    assertFound("Capacity", "solo a", "after the server had forgotten it");
  }

  @Test
  void oneWhoseRenewalWasForgottenBeforeItHadItsLeaseIsInNobodysWay() {
    granted("a", 10);
    next(Fault.FAIL_OVER, SECOND, knows("a", 10, 50), List.of(new ServerEvent(DROPPED, 1, "solo", "a", 0, 0)));
    history.tenures.clear();
    held("a", 10, 0, SECOND + 2 * WINDOW, SECOND + 3 * WINDOW);
    Tenure before = new Tenure("solo", "b", 1, 5, 0, SECOND + WINDOW);
    before.validUntil = SECOND + 2 * WINDOW - 1;
    history.tenures.add(before);
    assertThat(Check.all(history)).noneMatch(text -> text.startsWith("Capacity"));
  }

  @Test
  void aGrantIsNotExcusedBecauseAnEarlierOneOfTheSameRequestWasForgotten() {
    granted("a", 10);
    next(Fault.RESTART_EMPTY, SECOND, knows(null, 0, 0), List.of(
        new ServerEvent(GRANTED, 1, "solo", "a", 20, 1), new ServerEvent(DROPPED, 2, "solo", "a", 0, 0),
        new ServerEvent(GRANTED, 3, "solo", "b", 30, 1), new ServerEvent(DROPPED, 4, "solo", "b", 0, 0)));
    held("a", 20, 0, SECOND + 5, SECOND + 50);
    held("b", 30, SECOND + 6, SECOND + 40, SECOND + 60);
    assertFound("Capacity", "2 permits were valid at once", "solo a", "solo b");
  }

  @Test
  void whatIsKeptUntilWhenIsKnownOfAGrant() {
    granted("a", 10);
    assertThat(Epoch.of(history.epochs.get(0).end(), "solo").held).containsEntry("a", new Snapshot.Held(1, 10, 100));
  }

  @Test
  void anOverlapAfterAFailOverThatHasForgottenNothingIsFound() {
    granted("a", 10);
    next(Fault.FAIL_OVER, SECOND, knows("a", 10, 100), List.of(
        new ServerEvent(DROPPED, 1, "solo", "a", 0, 0), new ServerEvent(GRANTED, 1, "solo", "b", 20, 1)));
    held("a", 10, 0, 5, 2 * SECOND);
    held("b", 20, SECOND, SECOND + 5, 2 * SECOND);
    assertFound("Capacity", "2 permits were valid at once");
  }

  @Test
  void oneWhoIsOvertakenIsFound() {
    granted("a", 10);
    did(ENTERED, "b", 1);
    did(ENTERED, "c", 2);
    call();
    did(DROPPED, "a", 0);
    did(LEFT, "c", 0);
    granted("c", 20);
    assertFound("Order", "c was granted solo while b waited with ticket 1");
  }

  @Test
  void aNewcomerWhoIsServedWhileOthersWaitIsFound() {
    did(ENTERED, "b", 1);
    call();
    granted("c", 20);
    assertFound("Order", "c was granted solo while b waited", "had none");
  }

  @Test
  void aTicketThatGoesBackIsFound() {
    did(ENTERED, "b", 5);
    did(ENTERED, "c", 4);
    assertFound("Order", "ticket 4 after 5");
  }

  @Test
  void aTokenThatGoesBackIsFoundOnTheServer() {
    granted("a", 10);
    did(DROPPED, "a", 0);
    next(Fault.RESTART_EMPTY, SECOND, knows(null, 0, 0), List.of(new ServerEvent(GRANTED, 1, "solo", "b", 9, 1)));
    assertFound("Token", "token 9 after 10");
  }

  @Test
  void aTokenThatGoesBackIsFoundByItsHolders() {
    story();
    held("d", 15, 96, 97, 98);
    assertFound("Token", "solo d (token 15) was asked for after solo c (token 30) was had");
    assertFound("Token", "solo d", "never granted by the server");
  }

  @Test
  void aTokenThatTwoHaveIsFound() {
    story();
    held("d", 30, 31, 96, 97);
    assertFound("Token", "another has, too");
  }

  @Test
  void aPermitThatNeverComesBackIsFound() {
    granted("a", 10);
    assertFound("Conservation", "1 permits of solo never came back: [a]");
  }

  @Test
  void permitsThatAreCountedWronglyAreFound() {
    granted("a", 10);
    did(COUNTED, "", 2);
    assertFound("Conservation", "2 permits of solo are counted, 1 are held");
    did(DROPPED, "b", 0);
    assertFound("Conservation", "b of solo was given back and not held");
    granted("a", 20);
    assertFound("Conservation", "a of solo was granted twice");
    history.stats.add(new LeaseStats("solo", 1, 1, 1, 0, Duration.ZERO, 5, 3, 1, 0, 0));
    assertFound("Conservation", "granted 5 times and given up 4 times");
  }

  @Test
  void aServerThatKeptItsDataButNotAllOfItIsFound() {
    granted("a", 10);
    next(Fault.RESTART, SECOND, knows(null, 0, 0), List.of());
    assertFound("Conservation", "kept its data");
  }

  @Test
  void aLossThatIsToldTwiceOrTooLateIsFound() {
    story();
    Tenure a = history.tenures.get(0);
    a.losses.add(new Tenure.Loss(40, "EXPIRED"));
    assertFound("Loss", "solo a", "was valid after it was lost as EXPIRED");
    assertFound("Loss", "solo a", "was released as RELEASED and lost 1 times");
    a.losses.add(new Tenure.Loss(60, "EXPIRED"));
    assertFound("Loss", "solo a", "was lost 2 times");
  }

  @Test
  void aLossThatNobodyWasToldOfIsFoundUnlessItsHolderWasKilled() {
    story();
    Tenure a = history.tenures.get(0);
    a.ended = "EXPIRED";
    assertFound("Loss", "solo a", "was released as EXPIRED and lost 0 times");
    a.killed = true;
    assertThat(Check.all(history)).isEmpty();
  }

  @Test
  void oneWhoIsNeverServedOrTooLateIsFound() {
    history.expectedWaits = 2;
    history.waits.add(LivenessCheck.BOUND.toNanos() + 1);
    assertFound("Liveness", "1 of 2 requests");
    assertFound("Liveness", "somebody waited");
  }

  @Test
  void whatIsLeftBehindIsFound() {
    history.residue.add("chaos:{solo}:hold");
    history.complaints.add("Exception in thread");
    assertFound("Residue", "left on the server: chaos:{solo}:hold");
    assertFound("Residue", "a process said: Exception in thread");
  }

  // ---- what a process writes ----

  @Test
  void aJournalIsReadUpToItsLastWholeLine() throws Exception {
    Path file = directory.resolve("journal");
    Journal journal = new Journal(file);
    journal.write("ask", 1, 1);
    journal.write("got", 5, "solo", "a", 1, 10, 1);
    journal.write("valid", 6, "a");
    journal.write("ending", 7, "a");
    journal.write("ended", 8, "a", "RELEASED");
    journal.write("ask", 9, 2);
    journal.write("none", 10, 2, "late");
    Files.writeString(file, Files.readString(file) + "valid 99");
    history.read(file, true);
    assertThat(history.asked).isEqualTo(2);
    assertThat(history.refusals).containsEntry("late", 1);
    assertThat(history.tenures).singleElement().satisfies(tenure -> {
      assertThat(tenure.validUntil).isEqualTo(6);
      assertThat(tenure.ended).isEqualTo("RELEASED");
      assertThat(tenure.killed).isTrue();
    });
  }
}

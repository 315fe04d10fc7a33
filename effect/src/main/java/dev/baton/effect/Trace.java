// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes down which effects were performed when, how long their answers took, what they were, and which effects were performed on the
 * way to them.
 *
 * {@snippet :
 * Trace trace = Trace.create();
 * Effects.run(() -> Effects.await(() -> 42), Handlers.observing(trace).with(Handlers.defaults()));
 * System.out.println(trace);
 * // main
 * //   +0 ms  3.1 ms  Await[work=Call[callable=…]] = 42
 * //     +0 ms  0 ms  CreateExternalPromise[] = ExternalPromise[…]
 * //     +0.1 ms  3 ms  Wait[…] = 42
 * }
 *
 * <p>It sees what any {@link EffectObserver} in its place sees: outside of all handlers, also what those perform; inside, only what the
 * program performs. What a spawned task does stands below the effect that has spawned it.
 *
 * <p>It keeps all of that as text for as long as it lives, and is for one run, and for finding out what that does: a traced effect costs
 * many times as much as another one.
 */
public final class Trace implements EffectObserver {
  private static final int LONGEST = 120;

  /** So much of a text is looked at: what names of classes leave of it is shorter, by a lot. */
  private static final int LOOKED_AT = 16 * LONGEST;

  /** Code has no name that would be the same in the next run. Looked for where a word begins: elsewhere it was looked for in vain. */
  private static final Pattern CODE = Pattern.compile("(?<![\\w.$/])[\\w.$/]*\\$\\$Lambda[\\w.$/]*(@[0-9a-f]+)?");

  private static final Pattern IDENTITY = Pattern.compile("(?<![\\w.$])([\\w.$]*[.$])?(\\w+)@[0-9a-f]+");

  /** Weak: a task that nobody else keeps has its result, which nobody is to see again, and performs no more. */
  private final WeakHashMap<EffectTask<?>, Line> lines = new WeakHashMap<>();

  private final List<Line> roots = new ArrayList<>();
  private @Nullable Instant start;

  private Trace() {}

  /**
   * One that has seen nothing yet.
   *
   * @return a trace that has seen nothing yet
   */
  public static Trace create() {
    return new Trace();
  }

  /**
   * An effect that was performed, or a task that did so.
   *
   * @param what the effect, or the name of the task
   * @param at when it was performed, counted from the first one; empty for a task
   * @param took how long the answer took; empty for a task, and if there is none
   * @param answer the value, after {@code =}, or the error, after {@code !}; empty for a task, for null, and if there is none
   * @param children what was performed on the way to the answer, and the task that was spawned by it
   */
  public record Call(String what, Optional<Duration> at, Optional<Duration> took, String answer, List<Call> children) {}

  /** {@return what was seen until now: the tasks that nobody seen has spawned, with all they did} */
  public List<Call> calls() {
    return calls(roots.stream().filter(line -> !line.spawned).toList());
  }

  /** Not by recursion: of tasks each of which was spawned by the one before there may be more than fit on a stack. */
  private static List<Call> calls(List<? extends Entry> top) {
    List<Entry> all = new ArrayList<>(top);
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).below());
    }
    IdentityHashMap<Entry, Call> made = new IdentityHashMap<>();
    // Those below come later.
    for (Entry each : all.reversed()) {
      made.put(each, each.call(each.below().stream().map(below -> Objects.requireNonNull(made.get(below))).toList()));
    }
    return top.stream().map(entry -> Objects.requireNonNull(made.get(entry))).toList();
  }

  // ---- observing ----

  @Override
  public void performed(Effect<?> effect) {
    EffectTask<?> me = EffectTask.current();
    Instant now = me.run.host().now();
    if (start == null) {
      start = now;
    }
    Line line = line(me);
    Node node = new Node(effect, text(effect), Duration.between(start, now));
    (line.open.isEmpty() ? line.calls : line.open.getLast().children).add(node);
    line.open.add(node);
  }

  @Override
  public void answered(Effect<?> effect, Result<?> answer) {
    EffectTask<?> me = EffectTask.current();
    List<Node> open = line(me).open;
    int last = open.size() - 1;
    while (last >= 0 && open.get(last).effect != effect) {
      last--;
    }
    if (last < 0) {
      return;
    }
    Node node = open.get(last);
    // Those above it have never been answered: an observer has refused them.
    List<Node> over = open.subList(last, open.size());
    over.forEach(each -> each.effect = null);
    over.clear();
    node.end(Duration.between(Objects.requireNonNull(start), me.run.host().now()), answer);
    if (answer instanceof Result.Ok<?>(Object value) && value instanceof EffectTask<?> spawned && effect instanceof Spawn<?>) {
      Line below = line(spawned);
      // Once: a handler that has passed the effect on answers with the same task.
      node.task = below.spawned ? null : below;
      below.spawned = true;
    }
  }

  private Line line(EffectTask<?> task) {
    return lines.computeIfAbsent(
        task,
        added -> {
          Line line = new Line(added.name());
          roots.add(line);
          return line;
        });
  }

  private static String text(@Nullable Object value) {
    String all = Texts.of(value);
    // First: a text may be as long as it likes, and to look for names in it takes time.
    String looked = all.length() <= LOOKED_AT ? all : all.substring(0, LOOKED_AT);
    String text = IDENTITY.matcher(CODE.matcher(looked).replaceAll("…")).replaceAll("$2").replace('\n', ' ');
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : looked.equals(all) ? text : text + "…";
  }

  /** What becomes a call. */
  private sealed interface Entry {
    List<? extends Entry> below();

    Call call(List<Call> below);
  }

  /** One task. */
  private static final class Line implements Entry {
    final String name;
    final List<Node> calls = new ArrayList<>();

    /** The effects that have no answer yet, each performed on the way to that of the one before. */
    final List<Node> open = new ArrayList<>();

    boolean spawned;

    Line(String name) {
      this.name = name;
    }

    @Override
    public List<Node> below() {
      return calls;
    }

    @Override
    public Call call(List<Call> below) {
      return new Call(name, Optional.empty(), Optional.empty(), "", below);
    }
  }

  /** One effect. */
  private static final class Node implements Entry {
    /** Until it is answered, or never will be. */
    @Nullable Effect<?> effect;

    final String what;
    final Duration at;
    final List<Node> children = new ArrayList<>();
    @Nullable Duration took;
    String answer = "";
    @Nullable Line task;

    Node(Effect<?> effect, String what, Duration at) {
      this.effect = effect;
      this.what = what;
      this.at = at;
    }

    void end(Duration now, Result<?> result) {
      effect = null;
      took = now.minus(at);
      answer =
          switch (result) {
            case Result.Ok<?>(Object value) -> value == null ? "" : "= " + text(value);
            case Result.Err<?>(Throwable error) -> "! " + text(error);
          };
    }

    @Override
    public List<Entry> below() {
      List<Entry> below = new ArrayList<>(children);
      if (task != null && !task.calls.isEmpty()) {
        below.add(task);
      }
      return below;
    }

    @Override
    public Call call(List<Call> below) {
      return new Call(what, Optional.of(at), Optional.ofNullable(took), answer, below);
    }
  }

  // ---- as text ----

  /** All of it, a line for each effect, those that belong to it below it and further to the right. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    Deque<Indented> left = new ArrayDeque<>();
    calls().reversed().forEach(call -> left.push(new Indented(call, 0)));
    while (!left.isEmpty()) {
      Indented next = left.pop();
      render(next.call(), next.depth(), text);
      next.call().children().reversed().forEach(child -> left.push(new Indented(child, next.depth() + 1)));
    }
    return text.toString();
  }

  private record Indented(Call call, int depth) {}

  private static void render(Call call, int depth, StringBuilder text) {
    text.append("  ".repeat(depth));
    call.at().ifPresent(at -> text.append('+').append(millis(at)).append("  "));
    call.at().ifPresent(at -> text.append(call.took().map(Trace::millis).orElse("no answer")).append("  "));
    text.append(call.what());
    if (!call.answer().isEmpty()) {
      text.append(' ').append(call.answer());
    }
    text.append('\n');
  }

  /** In milliseconds, to the microsecond. */
  private static String millis(Duration duration) {
    BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds()).add(BigDecimal.valueOf(duration.getNano() / 1_000, 6));
    BigDecimal millis = seconds.movePointRight(3).stripTrailingZeros();
    return millis.toPlainString() + " ms";
  }
}

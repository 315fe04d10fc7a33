// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who answers effects: sets of handlers, one inside of the other. In one set there is at most one handler for a class of effects;
 * the innermost set that has one answers.
 *
 * {@snippet :
 * record Greeting(String name) implements Effect<String> {}
 *
 * Handlers polite = Handlers.of(Greeting.class, greeting -> "Good day, " + greeting.name());
 * String text = Effects.run(() -> Effects.perform(new Greeting("Ada")), Handlers.defaults().with(polite)).value();
 * }
 *
 * <p>A handler sees, while it works, only what is outside of its own set: it never answers itself. Spawned tasks inherit all that is
 * in scope where they are spawned.
 *
 * <p>Immutable: each method that adds something returns a new object.
 */
public final class Handlers {
  private static final Handlers NONE = new Handlers(List.of(), false);

  private static final Handlers DEFAULTS = preset(false);
  private static final Handlers ASYNC_DEFAULTS = preset(true);

  private final List<Layer> layers;
  private final boolean async;

  private Handlers(List<Layer> layers, boolean async) {
    this.layers = layers;
    this.async = async;
  }

  private static Handlers preset(boolean async) {
    Layer await =
        Layer.EMPTY
            .with(Await.class, frame -> new Binding.Plain(frame, erased(new AwaitHandler(async))), false)
            .named(async ? "overlapping await" : "sequential await");
    return new Handlers(List.of(BuiltIns.LAYER, await), async);
  }

  /**
   * None: nothing is answered, not even what this package defines.
   *
   * @return handlers of nothing: not even what this package defines is answered
   */
  public static Handlers none() {
    return NONE;
  }

  /**
   * All effects of this package; awaited work is done one piece at a time. For both runners.
   *
   * @return a set of handlers for both runners
   */
  public static Handlers defaults() {
    return DEFAULTS;
  }

  /**
   * All effects of this package; awaited work overlaps. For {@code runAsync} only: {@code run} refuses them, and so does {@link
   * Effects#handle(Handlers, Program)} in a program that it runs.
   *
   * @return a set of handlers for {@code runAsync} only
   */
  public static Handlers asyncDefaults() {
    return ASYNC_DEFAULTS;
  }

  /**
   * {@return a set of one handler}
   *
   * @param <R> what the effects are answered with
   * @param <E> the class of the effects
   * @param type the class of the effects; subclasses are others
   * @param handler what answers them
   */
  public static <R extends @Nullable Object, E extends Effect<R>> Handlers of(Class<E> type, Handler<? super E, ? extends R> handler) {
    return new Handlers(List.of(Layer.EMPTY), false).and(type, handler);
  }

  /**
   * {@return a set of one resumable handler}
   *
   * @param <R> what the effects are answered with
   * @param <E> the class of the effects
   * @param <T> what the programs return that are handled
   * @param type the class of the effects; subclasses are others
   * @param handler what answers them
   */
  public static <R extends @Nullable Object, E extends Effect<R>, T extends @Nullable Object> Handlers resuming(
      Class<E> type, ResumableHandler<E, R, T> handler) {
    return new Handlers(List.of(Layer.EMPTY), false).andResuming(type, handler);
  }

  /**
   * {@return a set that answers nothing, and is told of every effect inside of it}
   *
   * @param observer told before and after each effect
   */
  public static Handlers observing(EffectObserver observer) {
    Objects.requireNonNull(observer, "observer");
    return new Handlers(List.of(new Layer("", java.util.Map.of(), false, observer)), false);
  }

  /**
   * Sets of handlers, the outermost first.
   *
   * @param outermostFirst sets of handlers, each inside of the one before
   * @return all of them as one
   */
  public static Handlers stack(List<Handlers> outermostFirst) {
    Objects.requireNonNull(outermostFirst, "outermostFirst");
    Handlers all = NONE;
    for (Handlers each : outermostFirst) {
      all = all.with(each);
    }
    return all;
  }

  /**
   * One more handler in the innermost set.
   *
   * @param <R> what the effects are answered with
   * @param <E> the class of the effects
   * @param type the class of the effects; subclasses are others
   * @param handler what answers them
   * @return these handlers and that one; those here stay as they are
   * @throws IllegalArgumentException if that has one for this class
   */
  public <R extends @Nullable Object, E extends Effect<R>> Handlers and(Class<E> type, Handler<? super E, ? extends R> handler) {
    Objects.requireNonNull(handler, "handler");
    return and(type, frame -> new Binding.Plain(frame, erased(handler)), false);
  }

  /**
   * One more resumable handler in the innermost set.
   *
   * @param <R> what the effects are answered with
   * @param <E> the class of the effects
   * @param <T> what the programs return that are handled
   * @param type the class of the effects; subclasses are others
   * @param handler what answers them
   * @return these handlers and that one; those here stay as they are
   * @throws IllegalArgumentException if that has one for this class
   */
  public <R extends @Nullable Object, E extends Effect<R>, T extends @Nullable Object> Handlers andResuming(
      Class<E> type, ResumableHandler<E, R, T> handler) {
    Objects.requireNonNull(handler, "handler");
    return and(type, frame -> new Binding.Full(frame, erased(handler)), true);
  }

  /**
   * What the innermost set is called in messages.
   *
   * @param name what messages call it
   * @return the same handlers, with that name
   */
  public Handlers named(String name) {
    Objects.requireNonNull(name, "name");
    return layers.isEmpty() ? this : replacingInnermost(layers.getLast().named(name));
  }

  /**
   * These, and {@code inner} inside of them.
   *
   * @param inner asked before these
   * @return all of them as one
   */
  public Handlers with(Handlers inner) {
    Objects.requireNonNull(inner, "inner");
    List<Layer> all = new ArrayList<>(layers);
    all.addAll(inner.layers);
    return new Handlers(List.copyOf(all), async || inner.async);
  }

  /** One more handler in the innermost set, for a class that is known only when the program runs. */
  Handlers andAny(Class<?> type, Handler<Effect<?>, @Nullable Object> handler) {
    return and(type, frame -> new Binding.Plain(frame, handler), false);
  }

  private Handlers and(Class<?> type, Layer.Maker plain, boolean resumable) {
    Objects.requireNonNull(type, "type");
    Layer.Maker maker = type == ReleaseSemaphore.class
        ? frame -> new Binding.OfRelease(plain.in(frame))
        : type == AcquireSemaphore.class || type == TryAcquireSemaphore.class ? frame -> new Binding.OfAcquire(plain.in(frame)) : plain;
    if (layers.isEmpty()) {
      return new Handlers(List.of(Layer.EMPTY.with(type, maker, resumable)), async);
    }
    return replacingInnermost(layers.getLast().with(type, maker, resumable));
  }

  private Handlers replacingInnermost(Layer layer) {
    List<Layer> all = new ArrayList<>(layers);
    all.set(all.size() - 1, layer);
    return new Handlers(List.copyOf(all), async);
  }

  @SuppressWarnings("unchecked") // it is found by the class of the effect
  private static Handler<Effect<?>, @Nullable Object> erased(Handler<?, ?> handler) {
    return (Handler<Effect<?>, @Nullable Object>) handler;
  }

  @SuppressWarnings("unchecked") // as above; and what it returns is what its program returns
  private static ResumableHandler<Effect<?>, @Nullable Object, @Nullable Object> erased(ResumableHandler<?, ?, ?> handler) {
    return (ResumableHandler<Effect<?>, @Nullable Object, @Nullable Object>) handler;
  }

  // ---- for the run ----

  /** Refuses those that need a run that does not block its caller, unless it {@code mayOverlap}. */
  void checkFor(boolean mayOverlap) {
    if (async && !mayOverlap) {
      throw new IllegalArgumentException(
          "Handlers.asyncDefaults() lets awaited work overlap, and needs a run that does not block its caller: use runAsync, or"
              + " Handlers.defaults().");
    }
  }

  boolean resumes() {
    for (Layer layer : layers) {
      if (layer.resumes()) {
        return true;
      }
    }
    return false;
  }

  /** These, inside of {@code outer}. */
  Frame in(Frame outer) {
    Frame frame = outer;
    for (Layer layer : layers) {
      frame = Frame.of(frame, layer);
    }
    return frame;
  }

  @Override
  public String toString() {
    return "Handlers" + layers;
  }
}

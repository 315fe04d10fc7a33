// SPDX-License-Identifier: Apache-2.0
package dev.baton.host;

import dev.baton.internal.observe.Registry;
import dev.baton.internal.observe.Watch;
import dev.baton.observe.Named;
import dev.baton.observe.Usage;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A named thing as the registry has it: holds it weakly, knows how to look into it, and tells the observers about it. A primitive that was
 * named has its probe; one that was not has none, and nothing is ever asked of it.
 */
public final class Probe extends WeakReference<Object> implements Named {
  private final String kind;
  private final String name;

  /** Looks into the thing; has no reference to it. */
  private final Function<Object, Usage> reader;

  private final int hash;

  private <T> Probe(String kind, String name, T thing, Function<? super T, Usage> reader, ReferenceQueue<Object> gone) {
    super(thing, gone);
    this.kind = kind;
    this.name = name;
    @SuppressWarnings("unchecked") // it is given this thing only
    Function<Object, Usage> untyped = (Function<Object, Usage>) reader;
    this.reader = untyped;
    this.hash = System.identityHashCode(thing);
  }

  /**
   * Gives {@code thing} a name, and lists it as long as it lives. It must hold the result, and {@code reader} must not refer to it.
   *
   * @param known the probe that it has, if it was named before
   * @throws IllegalArgumentException if the name is blank
   * @throws IllegalStateException if it has another name already
   */
  public static <T> Probe name(
      @Nullable Probe known, String kind, String name, T thing, Function<? super T, Usage> reader) {
    Objects.requireNonNull(name, "name");
    if (name.isBlank()) {
      throw new IllegalArgumentException("A name has at least one character that can be seen; this one has none.");
    }
    if (known == null) {
      Probe probe = new Probe(kind, name, thing, reader, Registry.GONE);
      Registry.add(probe);
      return probe;
    }
    if (!known.name.equals(name)) {
      throw new IllegalStateException(
          "It is called \"" + known.name + "\" already and cannot be called \"" + name + "\" too: name a thing once, where it is made.");
    }
    return known;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<Usage> usage() {
    Object thing = get();
    return thing == null ? Optional.empty() : Optional.of(reader.apply(thing));
  }

  /** Whether anybody wants to know how long it is held. */
  public boolean isTimed() {
    return Watch.isTimed();
  }

  /** Somebody has waited for it so many nanoseconds. Never throws. */
  public void waited(long nanos, boolean granted) {
    Registry.waited(this, nanos, granted);
  }

  /** Somebody had it for so many nanoseconds. Never throws. */
  public void held(long nanos) {
    Registry.held(this, nanos);
  }

  /** It is closed for good, and not listed any more. */
  public void close() {
    Registry.remove(this);
  }

  /** How a thing with this probe is called in its {@code toString}: {@code " \"db\""}, or nothing. */
  public static String shown(@Nullable Probe probe) {
    return probe == null ? "" : " \"" + probe.name + "\"";
  }

  /** That of the thing, by its identity. */
  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public String toString() {
    return kind + " \"" + name + "\"";
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.sync.Result;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handlers in scope, with all outside of them. Each effect is found in one look, however many scopes there are: the table of a scope
 * contains what is still visible of those outside.
 */
final class Frame {
  /** Nothing in scope. */
  static final Frame NONE = new Frame();

  private final @Nullable Frame outer;
  private final Layer layer;

  /** The innermost scope that has an observer: this one, or one outside; null if there is none. */
  private final @Nullable Frame observing;

  /** Whether effects of this package go straight to our own answers, and nobody is told of them. */
  private final boolean direct;

  /** Open addressing: a class at its hash or after it, and its handler at the same index. At most a quarter full. */
  private final @Nullable Class<?>[] types;

  private final @Nullable Binding[] bindings;

  private Frame() {
    outer = null;
    layer = Layer.EMPTY;
    observing = null;
    direct = false;
    types = new Class<?>[2];
    bindings = new Binding[2];
  }

  private Frame(Frame outer, Layer layer) {
    this.outer = outer;
    this.layer = layer;
    this.observing = layer.observer() == null ? outer.observing : this;
    this.direct = observing == null && (layer == BuiltIns.LAYER || (outer.direct && BuiltIns.areNotIn(layer)));
    int size = Integer.highestOneBit(4 * (outer.count() + layer.makers().size()) + 1) << 1;
    types = new Class<?>[size];
    bindings = new Binding[size];
    for (int i = 0; i < outer.types.length; i++) {
      Class<?> type = outer.types[i];
      Binding binding = outer.bindings[i];
      if (type != null && binding != null) {
        put(type, binding);
      }
    }
    layer.makers().forEach((type, maker) -> put(type, maker.in(this)));
  }

  /** {@code layer} inside of {@code outer}. */
  static Frame of(Frame outer, Layer layer) {
    return new Frame(outer, layer);
  }

  private int count() {
    int count = 0;
    for (Class<?> type : types) {
      if (type != null) {
        count++;
      }
    }
    return count;
  }

  private void put(Class<?> type, Binding binding) {
    int mask = types.length - 1;
    int i = type.hashCode() & mask;
    while (types[i] != null && types[i] != type) {
      i = (i + 1) & mask;
    }
    types[i] = type;
    bindings[i] = binding;
  }

  /** The innermost handler for effects of this class, or null. */
  @Nullable Binding find(Class<?> type) {
    int mask = types.length - 1;
    for (int i = type.hashCode() & mask; ; i = (i + 1) & mask) {
      Class<?> there = types[i];
      if (there == type) {
        return bindings[i];
      }
      if (there == null) {
        return null;
      }
    }
  }

  /** What is outside of these; nothing if they are the outermost. */
  Frame outer() {
    return outer == null ? this : outer;
  }

  /** Whether a handler of this scope itself is resumable. */
  boolean resumes() {
    return layer.resumes();
  }

  /** Whether effects of this package go straight to our own answers, and nobody is told of them: then they need not be made. */
  boolean isDirect() {
    return direct;
  }

  /** Whether somebody is to be told of effects. */
  boolean isObserved() {
    return observing != null;
  }

  /** Tells those who observe, innermost first. */
  void observe(EffectTask<?> me, Effect<?> effect) throws Exception {
    // What they perform is not where the task is told of its cancellation: the effect that they are told of is.
    me.holdBack();
    try {
      for (Frame frame = observing; frame != null; frame = frame.outer().observing) {
        EffectObserver observer = frame.layer.observer();
        me.frame = frame.outer();
        if (observer != null) {
          observer.performed(effect);
        }
      }
    } finally {
      me.frame = this;
      me.letGo();
    }
  }

  /** Tells those who observe what came of it, outermost first. */
  void observed(EffectTask<?> me, Effect<?> effect, Result<?> answer) throws Exception {
    Frame performer = me.frame;
    List<Frame> inside = new ArrayList<>();
    for (Frame frame = observing; frame != null; frame = frame.outer().observing) {
      inside.add(frame);
    }
    // Or what the answer gives to the task, a permit for one, would be lost.
    me.holdBack();
    try {
      for (Frame frame : inside.reversed()) {
        EffectObserver observer = frame.layer.observer();
        me.frame = frame.outer();
        if (observer != null) {
          observer.answered(effect, answer);
        }
      }
    } finally {
      me.frame = performer;
      me.letGo();
    }
  }

  /** The sets of handlers in scope, innermost first. */
  List<String> describe() {
    List<String> all = new ArrayList<>();
    for (Frame frame = this; frame.outer != null; frame = frame.outer) {
      all.add(frame.layer.toString());
    }
    return all;
  }
}

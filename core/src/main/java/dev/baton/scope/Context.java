// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.scope.ContextCarrier.Binding;
import dev.baton.scope.ContextCarrier.Registration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The carriers of all scopes, and what they captured at a fork. */
final class Context {
  static final ContextCarrier[] NONE = {};

  private static final AtomicReference<ContextCarrier[]> REGISTERED = new AtomicReference<>(NONE);

  private Context() {}

  static Registration register(ContextCarrier carrier) {
    ContextCarrier entry = new Entry(carrier);
    REGISTERED.updateAndGet(now -> with(now, entry));
    return () -> REGISTERED.updateAndGet(now -> without(now, entry));
  }

  /** One registration: the same carrier may be registered twice, and each ends its own. */
  private record Entry(ContextCarrier carrier) implements ContextCarrier {
    @Override
    public @Nullable Binding capture() {
      return carrier.capture();
    }
  }

  static ContextCarrier[] with(ContextCarrier[] carriers, ContextCarrier... more) {
    ContextCarrier[] all = Arrays.copyOf(carriers, carriers.length + more.length);
    System.arraycopy(more, 0, all, carriers.length, more.length);
    return all;
  }

  private static ContextCarrier[] without(ContextCarrier[] carriers, ContextCarrier entry) {
    return Arrays.stream(carriers).filter(c -> c != entry).toArray(ContextCarrier[]::new);
  }

  /** What the registered carriers and those of a scope capture now; null if nothing. */
  static @Nullable Binding capture(ContextCarrier[] ofScope) {
    Binding all = null;
    for (ContextCarrier carrier : REGISTERED.get()) {
      all = nest(all, carrier.capture());
    }
    for (ContextCarrier carrier : ofScope) {
      all = nest(all, carrier.capture());
    }
    return all;
  }

  static @Nullable Binding bindingOf(ScopedValue<?>[] values) {
    ScopedValue.@Nullable Carrier bound = null;
    for (ScopedValue<?> value : values) {
      if (value.isBound()) {
        bound = bind(bound, value);
      }
    }
    return bound == null ? null : bound::run;
  }

  private static <V> ScopedValue.Carrier bind(ScopedValue.@Nullable Carrier outer, ScopedValue<V> value) {
    return outer == null ? ScopedValue.where(value, value.get()) : outer.where(value, value.get());
  }

  private static @Nullable Binding nest(@Nullable Binding outer, @Nullable Binding inner) {
    if (outer == null || inner == null) {
      return outer == null ? inner : outer;
    }
    return body -> outer.run(() -> inner.run(body));
  }
}

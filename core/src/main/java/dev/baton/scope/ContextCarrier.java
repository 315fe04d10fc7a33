// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries something that belongs to a thread, such as a {@link ScopedValue}, a logging context or a trace, from the thread that
 * forks to the task it forks. Register one for all scopes with {@link #register}, or for one scope with {@link Scope#carry}.
 *
 * {@snippet :
 * ThreadLocal<String> user = new ThreadLocal<>();
 * ContextCarrier carrier =
 *     () -> {
 *       String current = user.get(); // on the thread that forks
 *       return body -> { // in the task
 *         user.set(current);
 *         body.run();
 *       };
 *     };
 * }
 */
@FunctionalInterface
public interface ContextCarrier {

  /**
   * Called at each fork, on the thread that forks. Returns what to bind in the task, or null for nothing.
   *
   * @return what to bind in the task, or null for nothing
   */
  @Nullable Binding capture();

  /** What was captured at a fork. */
  @FunctionalInterface
  interface Binding {

    /**
     * Called once, in the task: binds, runs {@code body} exactly once, and takes care of unbinding.
     *
     * @param body what to run while it is bound; once, and on this thread
     */
    void run(Runnable body);
  }

  /**
   * Carries the values that are bound when a task is forked.
   *
   * @param values what to carry; those that are not bound are not carried
   * @return a carrier of just these
   */
  static ContextCarrier of(ScopedValue<?>... values) {
    ScopedValue<?>[] copy = values.clone();
    for (ScopedValue<?> value : copy) {
      Objects.requireNonNull(value, "a scoped value to carry is null");
    }
    return () -> Context.bindingOf(copy);
  }

  /**
   * {@return what a fork would carry if it were made here and now: by the registered carriers and those of the scopes
   * around the caller} For tasks that are started in another way. As any binding, it is run once; it may carry nothing.
   */
  static Binding captureAll() {
    Binding all = Context.capture(Scope.carriersHere());
    return all == null ? Runnable::run : all;
  }

  /**
   * Lets all scopes of the JVM carry by {@code carrier} from now on, until the registration is closed.
   *
   * @param carrier asked at every fork of the JVM, so it should be quick
   * @return closes once; never throws
   */
  static Registration register(ContextCarrier carrier) {
    return Context.register(Objects.requireNonNull(carrier, "carrier"));
  }

  /** Ends what {@link #register} began. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}

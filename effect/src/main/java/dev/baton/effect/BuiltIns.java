// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import dev.baton.internal.kernel.Failures;
import dev.baton.scope.Task;
import dev.baton.scope.Time;
import dev.baton.sync.Result;
import dev.baton.sync.Semaphore;
import dev.baton.sync.Waitable;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the effects of this package do. */
@SuppressWarnings({"rawtypes", "unchecked", "NullAway"}) // the class of an effect says nothing about its type arguments
final class BuiltIns {
  static final Layer LAYER = new BuiltIns().layer();

  private final Map<Class<?>, Layer.Maker> makers = new LinkedHashMap<>();

  private BuiltIns() {}

  private Layer layer() {
    on(Spawn.class, (me, spawn) -> me.spawn(spawn.program(), spawn.name(), spawn.priority()));
    on(Wait.class, (me, wait) -> me.join(me.run.outcomeOf(wait.waitable())));
    on(Gather.class, Joins::gather);
    on(Race.class, Joins::race);
    on(Cancel.class, BuiltIns::cancel);
    on(CreatePromise.class, (me, create) -> new Promise<>(new InnerFuture<>(me.run)));
    on(CompletePromise.class, (me, complete) -> keep(me, complete.promise(), new Result.Ok<>(complete.value())));
    on(FailPromise.class, (me, fail) -> keep(me, fail.promise(), new Result.Err<>(fail.error())));
    on(CreateExternalPromise.class, (me, create) -> new ExternalPromise<>(new OuterFuture<>(me.run)));
    on(Try.class, BuiltIns::attempt);
    on(CreateSemaphore.class, (me, create) -> Semaphore.of(create.permits()));
    on(AcquireSemaphore.class, BuiltIns::acquired);
    on(TryAcquireSemaphore.class, BuiltIns::tryAcquire);
    on(ReleaseSemaphore.class, (me, release) -> released(me, release.semaphore(), release.permits()));
    on(Ask.class, BuiltIns::ask);
    on(Local.class, BuiltIns::local);
    on(Get.class, BuiltIns::get);
    on(Put.class, BuiltIns::put);
    on(Modify.class, BuiltIns::modify);
    on(Tell.class, BuiltIns::tell);
    on(Listen.class, BuiltIns::listen);
    on(Delay.class, BuiltIns::delay);
    on(GetTime.class, (me, get) -> Time.now());
    return new Layer("built-in", makers, false, null);
  }

  /** Whether {@code layer} has no handler for an effect that is answered here. */
  static boolean areNotIn(Layer layer) {
    return Collections.disjoint(LAYER.makers().keySet(), layer.makers().keySet());
  }

  private <E extends Effect<?>> void on(Class<E> type, Binding.Interpretation<E> interpretation) {
    makers.put(type, frame -> new Binding.BuiltIn(frame, (Binding.Interpretation<Effect<?>>) (Binding.Interpretation) interpretation));
  }

  // ---- without an effect, where nobody would see it: see EffectTask.beginDirect and isUnseen ----

  static @Nullable Object join(EffectTask<?> me, Waitable<?> waitable) {
    Object value = me.join(me.run.outcomeOf(waitable));
    me.letHigherGoFirst();
    return value;
  }

  static <T extends @Nullable Object> Promise<T> promise(EffectTask<?> me) {
    Promise<T> made = new Promise<>(new InnerFuture<>(me.run));
    me.letHigherGoFirst();
    return made;
  }

  static <T extends @Nullable Object> void complete(EffectTask<?> me, Promise<T> promise, T value) {
    me.run.keep(promise, new Result.Ok<>(value));
    me.letHigherGoFirst();
  }

  static void release(EffectTask<?> me, Semaphore semaphore) {
    semaphore.release();
    me.deliverPending();
    me.letHigherGoFirst();
  }

  // ---- tasks and promises ----

  private static @Nullable Object cancel(EffectTask<?> me, Cancel cancel) {
    Task<?> task = cancel.task();
    if (task instanceof EffectTask<?> ours) {
      if (ours.run != me.run) {
        throw new ForeignHandleException(task);
      }
      ours.requestCancel();
    } else {
      task.cancel();
    }
    return null;
  }

  private static @Nullable Object keep(EffectTask<?> me, Promise promise, Result result) {
    me.run.keep(promise, result);
    return null;
  }

  private static Object attempt(EffectTask<?> me, Try effect) {
    Frame frame = me.frame;
    Result<?> result = me.attempt(effect.program());
    me.frame = frame;
    if (result instanceof Result.Err<?>(Throwable error) && (error instanceof Abort || me.isOwnCancellation(error))) {
      throw Failures.<RuntimeException>rethrow(error);
    }
    return result;
  }

  // ---- semaphores ----

  private static @Nullable Object acquired(EffectTask<?> me, AcquireSemaphore effect) {
    acquire(me, effect.semaphore(), effect.permits());
    return null;
  }

  /** Also without an effect; then {@link EffectTask#letHigherGoFirst} has to follow: a call less is around the wait. */
  static void acquire(EffectTask<?> me, Semaphore semaphore, long permits) {
    me.active.setQuiet(true);
    try {
      while (true) {
        me.prepareToWait();
        try {
          if (permits == 1) {
            semaphore.acquire();
          } else {
            semaphore.acquire(permits);
          }
          me.acquired(semaphore);
          return;
        } catch (InterruptedException e) {
          me.wasInterrupted();
        }
      }
    } finally {
      me.active.setQuiet(false);
    }
  }

  private static Object tryAcquire(EffectTask<?> me, TryAcquireSemaphore effect) {
    Duration timeout = effect.timeout();
    me.active.setQuiet(true);
    try {
      if (timeout.isZero() || timeout.isNegative()) {
        return taken(me, effect, effect.semaphore().tryAcquire(effect.permits()));
      }
      while (true) {
        Instant start = Time.now();
        me.prepareToWait();
        try {
          return taken(me, effect, effect.semaphore().tryAcquire(effect.permits(), timeout));
        } catch (InterruptedException e) {
          me.wasInterrupted();
          timeout = timeout.minus(Duration.between(start, Time.now()));
        }
      }
    } finally {
      me.active.setQuiet(false);
    }
  }

  private static boolean taken(EffectTask<?> me, TryAcquireSemaphore effect, boolean taken) {
    if (taken) {
      me.acquired(effect.semaphore());
    }
    return taken;
  }

  private static @Nullable Object released(EffectTask<?> me, Semaphore semaphore, long permits) {
    me.active.setQuiet(true);
    try {
      if (permits == 1) {
        semaphore.release();
      } else {
        semaphore.release(permits);
      }
    } finally {
      me.active.setQuiet(false);
    }
    me.deliverPending();
    return null;
  }

  // ---- environment, state, log ----

  private static @Nullable Object ask(EffectTask<?> me, Ask ask) {
    PersistentMap.Entry found = me.environment.find(ask.key());
    if (found == null) {
      throw MissingKeyException.inEnvironment(ask.key(), me.environment);
    }
    return found.value;
  }

  private static @Nullable Object local(EffectTask<?> me, Local local) throws Exception {
    PersistentMap before = me.environment;
    me.environment = before.plusAll(local.overrides());
    try {
      return local.program().run();
    } finally {
      me.environment = before;
    }
  }

  private static @Nullable Object get(EffectTask<?> me, Get get) {
    PersistentMap.Entry found = me.state.find(get.key());
    if (found == null) {
      throw MissingKeyException.inState(get.key(), me.state);
    }
    return found.value;
  }

  private static @Nullable Object put(EffectTask<?> me, Put put) {
    me.state = me.state.plus(put.key(), put.value());
    return null;
  }

  private static @Nullable Object modify(EffectTask<?> me, Modify modify) {
    PersistentMap.Entry found = me.state.find(modify.key());
    Object changed = modify.function().apply(found == null ? null : found.value);
    me.state = me.state.plus(modify.key(), changed);
    return changed;
  }

  private static @Nullable Object tell(EffectTask<?> me, Tell tell) {
    me.log = me.log.plus(new LogEntry(me.run.host().now(), tell.message()));
    return null;
  }

  private static Object listen(EffectTask<?> me, Listen listen) throws Exception {
    Log before = me.log;
    Object value = listen.program().run();
    return new Listened<>(value, me.log.since(before));
  }

  // ---- time ----

  private static @Nullable Object delay(EffectTask<?> me, Delay delay) {
    Duration left = delay.duration();
    me.active.setQuiet(true);
    try {
      while (!left.isZero() && !left.isNegative()) {
        Instant start = Time.now();
        me.prepareToWait();
        try {
          Time.sleep(left);
          return null;
        } catch (InterruptedException e) {
          me.wasInterrupted();
          left = left.minus(Duration.between(start, Time.now()));
        }
      }
      return null;
    } finally {
      me.active.setQuiet(false);
    }
  }
}

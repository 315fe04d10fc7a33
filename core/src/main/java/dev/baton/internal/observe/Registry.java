// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import dev.baton.host.Probe;
import dev.baton.observe.Named;
import dev.baton.observe.Observer;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All live named things, and those who observe them. One for the JVM; it has no thread: what is gone is crossed out by whoever looks or
 * names something next.
 */
public final class Registry {
  /** Probes whose thing is gone. */
  public static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

  /** Changed under the monitor, so that each observer is told of each probe exactly once. */
  private static final ConcurrentHashMap<Object, Probe> PROBES = new ConcurrentHashMap<>();

  /** Replaced under the monitor, never changed. */
  private static volatile Observer[] observers = {};

  private Registry() {}

  /** Lists {@code probe} from now on. */
  public static void add(Probe probe) {
    expunge();
    Observer[] told;
    synchronized (Registry.class) {
      PROBES.put(probe, probe);
      told = observers;
    }
    tell(told, observer -> observer.appeared(probe));
  }

  /** Lists {@code probe} no more. */
  public static void remove(Probe probe) {
    Observer[] told;
    synchronized (Registry.class) {
      told = PROBES.remove(probe) == null ? new Observer[0] : observers;
    }
    tell(told, observer -> observer.vanished(probe));
  }

  private static void expunge() {
    for (Reference<?> gone = GONE.poll(); gone != null; gone = GONE.poll()) {
      remove((Probe) gone);
    }
  }

  /** The probe of {@code thing}, or of what it is a part of, if that was named. */
  public static @Nullable Probe find(Object thing) {
    return PROBES.isEmpty() ? null : PROBES.get(new Sought(Parts.whole(thing)));
  }

  /** All whose things are alive, by kind and name. */
  public static List<Named> all() {
    expunge();
    List<Named> all = new ArrayList<>();
    PROBES.forEach(
        (key, probe) -> {
          if (!probe.refersTo(null)) {
            all.add(probe);
          }
        });
    all.sort(Comparator.comparing(Named::kind).thenComparing(Named::name));
    return List.copyOf(all);
  }

  /** Tells {@code observer} from now on, first of what is there. */
  public static void add(Observer observer) {
    List<Probe> present;
    synchronized (Registry.class) {
      Observer[] more = Arrays.copyOf(observers, observers.length + 1);
      more[observers.length] = observer;
      observers = more;
      present = List.copyOf(PROBES.values());
      Watch.time(true);
    }
    present.forEach(probe -> tell(new Observer[] {observer}, each -> each.appeared(probe)));
  }

  /** Tells {@code observer} nothing more. */
  public static synchronized void remove(Observer observer) {
    observers = Arrays.stream(observers).filter(other -> other != observer).toArray(Observer[]::new);
    if (observers.length == 0) {
      Watch.time(false);
    }
  }

  /** Somebody has waited. */
  public static void waited(Probe probe, long nanos, boolean granted) {
    Observer[] told = observers;
    if (told.length > 0) {
      Duration time = Duration.ofNanos(Math.max(0, nanos));
      tell(told, observer -> observer.waited(probe, time, granted));
    }
  }

  /** Somebody has held something. */
  public static void held(Probe probe, long nanos) {
    Observer[] told = observers;
    if (told.length > 0) {
      Duration time = Duration.ofNanos(Math.max(0, nanos));
      tell(told, observer -> observer.held(probe, time));
    }
  }

  /** With no lock held; an observer that throws skips no other. */
  private static void tell(Observer[] all, Consumer<Observer> news) {
    for (Observer observer : all) {
      try {
        news.accept(observer);
      } catch (Throwable failure) {
        report(failure);
      }
    }
  }

  private static void report(Throwable failure) {
    try {
      Thread current = Thread.currentThread();
      current.getUncaughtExceptionHandler().uncaughtException(current, failure);
    } catch (Throwable further) {
      // There is nobody left to tell.
    }
  }

  /** What to look for: equal to the probe of the same thing. */
  private static final class Sought {
    private final Object thing;

    Sought(Object thing) {
      this.thing = thing;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(thing);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Probe probe && probe.refersTo(thing);
    }
  }
}

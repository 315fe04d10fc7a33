// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import dev.baton.host.Alarms;
import dev.baton.host.Host;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one timer of a registry: a heap of what is to happen when, and one alarm of the host for the first of it. There is one heap for each
 * host whose tasks use the registry, because each has a clock of its own; mostly that is one. What is to happen happens also if its host has ended
 * before.
 *
 * <p>An alarm that has become too early is left as it is and finds nothing to do: a lease that is released in time costs no alarm.
 */
public final class Deadlines {
  private final ConcurrentHashMap<Host, Line> lines = new ConcurrentHashMap<>();

  /** The line that was used last, so that it need not be looked for. Set under the lock of that line, and taken away under it when the line ends. */
  private volatile @Nullable Line latest;

  private volatile boolean stopped;

  /** Nothing is to happen yet. */
  public Deadlines() {}

  /** Something that is to happen at a time. */
  public abstract static class Entry {
    // Guarded by the line it stands in.
    private long deadline;
    private int index = -1;

    /** Read under the lock of the line; may be written before there is one. */
    private volatile boolean over;

    /** The line it stands in, or stood in last. Written under the lock of that line. */
    private volatile @Nullable Line line;

    /** For subclasses. */
    protected Entry() {}

    /** The time has come. Called in a task of its host's, with no lock held; the entry may be added again. */
    protected abstract void due();
  }

  /**
   * Has {@code entry} become due when the clock of {@code host} has reached {@code deadline}, and not before; unless it was {@linkplain #end
   * ended}. Not to be called for one entry by several threads at once.
   */
  public void add(Host host, Entry entry, long deadline) {
    Line before = entry.line;
    if (before != null && before.host != host) {
      before.detach(entry);
    }
    while (!stopped && !lineOf(host).add(entry, deadline)) {
      // That line has just ended.
    }
  }

  /** {@code entry} will not become due any more, even if it is added again. */
  public void end(Entry entry) {
    Line line = entry.line;
    if (line == null || !line.remove(entry)) {
      // Being added just now, or not at all: whoever adds it looks.
      entry.over = true;
    }
  }

  /** Nothing becomes due any more. */
  public void stop() {
    stopped = true;
    lines.values().forEach(Line::stop);
  }

  private Line lineOf(Host host) {
    Line line = latest;
    return line != null && line.host == host ? line : lines.computeIfAbsent(host, Line::new);
  }

  /** What is to happen in the world of one host. */
  private final class Line implements Runnable {
    private static final int FIRST_SIZE = 16;

    final Host host;

    // Guarded by this.
    private Entry[] heap = new Entry[FIRST_SIZE];
    private int size;
    private boolean dead;
    private Host.@Nullable Timer alarm;
    private long alarmAt;

    /** Whether due entries are being looked for: then no alarm is needed. */
    private boolean looking;

    Line(Host host) {
      this.host = host;
    }

    /** False: this line is not used any more. */
    synchronized boolean add(Entry entry, long deadline) {
      if (dead) {
        return false;
      }
      if (entry.over || stopped) {
        return true;
      }
      if (latest != this) {
        latest = this;
      }
      if (entry.index >= 0 && entry.line == this) {
        take(entry.index);
      }
      if (size == heap.length) {
        heap = Arrays.copyOf(heap, size * 2);
      }
      entry.line = this;
      entry.deadline = deadline;
      siftUp(size++, entry);
      if (!looking && (alarm == null || deadline - alarmAt < 0)) {
        setAlarm(deadline);
      }
      return true;
    }

    synchronized boolean remove(Entry entry) {
      if (entry.line != this) {
        return false;
      }
      entry.over = true;
      leave(entry);
      return true;
    }

    /** Its world is another one now. */
    synchronized void detach(Entry entry) {
      if (entry.line == this) {
        leave(entry);
      }
    }

    /** A line that has ended has let go of all who stood in it. */
    private void leave(Entry entry) {
      if (!dead && entry.index >= 0) {
        take(entry.index);
      }
    }

    synchronized void stop() {
      dead = true;
      size = 0;
      heap = new Entry[0];
      cancelAlarm();
      forget();
    }

    private void setAlarm(long deadline) {
      cancelAlarm();
      alarmAt = deadline;
      alarm = host.scheduleLasting(deadline, this::ring);
    }

    private void cancelAlarm() {
      Host.Timer set = alarm;
      alarm = null;
      if (set != null) {
        set.cancel();
      }
    }

    /** In a task of its own: what is due may run callbacks and write to a log. */
    private void ring() {
      try {
        Alarms.start(host, "baton-leases", this);
      } catch (Throwable noTask) {
        run();
      }
    }

    @Override
    public void run() {
      synchronized (this) {
        if (looking) {
          return;
        }
        looking = true;
      }
      for (Entry entry = next(); entry != null; entry = next()) {
        try {
          entry.due();
        } catch (Throwable failure) {
          // One that fails must not keep the others.
          Thread current = Thread.currentThread();
          current.getUncaughtExceptionHandler().uncaughtException(current, failure);
        }
      }
    }

    private synchronized @Nullable Entry next() {
      if (dead) {
        return null;
      }
      if (size > 0 && heap[0].deadline - host.nanoTime() <= 0) {
        return take(0);
      }
      looking = false;
      if (size > 0) {
        setAlarm(heap[0].deadline);
      } else {
        // A host that has nothing to wait for is not kept.
        cancelAlarm();
        dead = true;
        forget();
      }
      return null;
    }

    private void forget() {
      lines.remove(host, this);
      if (latest == this) {
        latest = null;
      }
    }

    private Entry take(int index) {
      Entry taken = heap[index];
      Entry last = heap[--size];
      clear(size);
      if (taken != last) {
        siftDown(index, last);
        if (heap[index] == last) {
          siftUp(index, last);
        }
      }
      taken.index = -1;
      return taken;
    }

    @SuppressWarnings("NullAway") // what lies beyond the size is not looked at
    private void clear(int index) {
      heap[index] = null;
    }

    private void siftUp(int from, Entry entry) {
      int index = from;
      while (index > 0) {
        int parent = (index - 1) >>> 1;
        if (entry.deadline - heap[parent].deadline >= 0) {
          break;
        }
        put(index, heap[parent]);
        index = parent;
      }
      put(index, entry);
    }

    private void siftDown(int from, Entry entry) {
      int index = from;
      while (2 * index + 1 < size) {
        int child = 2 * index + 1;
        if (child + 1 < size && heap[child + 1].deadline - heap[child].deadline < 0) {
          child++;
        }
        if (entry.deadline - heap[child].deadline <= 0) {
          break;
        }
        put(index, heap[child]);
        index = child;
      }
      put(index, entry);
    }

    private void put(int index, Entry entry) {
      heap[index] = entry;
      entry.index = index;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.channel;

import dev.baton.internal.kernel.Completion;
import dev.baton.pattern.BatchQueue;
import dev.baton.pattern.Borrowed;
import dev.baton.pattern.Pool;
import dev.baton.sync.Event;
import dev.baton.sync.Guard;
import dev.baton.sync.Mutex;
import dev.baton.sync.Permit;
import dev.baton.sync.Promise;
import dev.baton.sync.RwLock;
import dev.baton.sync.Semaphore;
import dev.baton.sync.Waitable;
import dev.baton.sync.WriteGuard;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Something that a select can wait for, not ready yet. Its clause returns its name, and gives back at once what it has taken.
 *
 * @param clause waits for it
 * @param makeReady makes it ready, once, and never blocks
 * @param waiting how many wait for it
 * @param atRest whether, once served, nothing is held and nothing is left
 */
public record Thing(String name, Clause<String> clause, Runnable makeReady, IntSupplier waiting, BooleanSupplier atRest) {

  private static final List<Supplier<Thing>> KINDS =
      List.of(
          () -> receive("receive from a rendezvous", Channel.rendezvous()),
          () -> receive("receive from a buffer", Channel.buffered(2)),
          () -> receive("receive from unlimited", Channel.unlimited()),
          () -> receive("receive from conflated", Channel.conflated()),
          () -> send("send to a rendezvous", Channel.rendezvous()),
          () -> send("send to a full buffer", full()),
          () -> hear("receive from a broadcast", Broadcast.buffered(1)),
          () -> hear("receive what may be missed", Broadcast.lagging(1)),
          Thing::changed,
          Thing::sendNext,
          () -> permits("permit", 1),
          () -> permits("permits", 3),
          Thing::mutex,
          Thing::read,
          Thing::write,
          Thing::promise,
          Thing::stage,
          Thing::foreignStage,
          Thing::event,
          Thing::borrow,
          Thing::batch);

  /** How many kinds there are. */
  public static int kinds() {
    return KINDS.size();
  }

  /** A new one of this kind. */
  public static Thing of(int kind) {
    return KINDS.get(kind).get();
  }

  /** A new one of every kind. */
  public static List<Thing> all() {
    return KINDS.stream().map(Supplier::get).toList();
  }

  private static Thing receive(String name, Channel<String> channel) {
    return new Thing(
        name,
        Select.receive(channel, value -> value.equals("value") ? name : "wrong value"),
        () -> channel.sendAsync("value"),
        channel::waitingReceivers,
        () -> channel.size() + channel.waitingSenders() == 0);
  }

  private static Thing hear(String name, Broadcast<String> broadcast) {
    Subscription<String> subscription = broadcast.subscribe();
    return new Thing(
        name,
        Select.hear(subscription, value -> value.equals("value") ? name : "wrong value"),
        () -> broadcast.trySend("value"),
        broadcast::waitingReceivers,
        () -> subscription.size() + broadcast.size() == 0);
  }

  private static Thing changed() {
    Watch<String> watch = Watch.of("initial");
    Watcher<String> watcher = watch.subscribe();
    return new Thing(
        "watch",
        Select.changed(watcher, value -> value.equals("value") ? "watch" : "wrong value"),
        () -> watch.set("value"),
        watch::waiting,
        () -> watcher.tryChanged().equals(new Received.Empty<>()));
  }

  private static Channel<String> full() {
    Channel<String> channel = Channel.buffered(1);
    channel.trySend("first");
    return channel;
  }

  private static Thing send(String name, Channel<String> channel) {
    return new Thing(
        name,
        Select.send(channel, "value", () -> name),
        channel::receiveAsync,
        channel::waitingSenders,
        // What was sent is what arrives: the buffer has it, or the receiver had.
        () -> channel.capacity() == 0 ? channel.waitingReceivers() == 0 : channel.tryReceive().value().get().equals("value"));
  }

  private static Thing sendNext() {
    Channel<Integer> channel = Channel.rendezvous();
    int[] next = {0};
    return new Thing(
        "send the next",
        Select.sendNext(channel, () -> next[0]++, () -> "send the next"),
        channel::receiveAsync,
        channel::waitingSenders,
        () -> channel.waitingReceivers() == 0);
  }

  private static Thing permits(String name, int n) {
    Semaphore semaphore = Semaphore.of(3);
    Permit held = semaphore.tryHold(3).orElseThrow();
    return new Thing(
        name,
        Select.permits(
            semaphore,
            n,
            permit -> {
              String result = permit.count() == n ? name : "wrong count";
              permit.close();
              return result;
            }),
        held::close,
        semaphore::waiting,
        () -> semaphore.available() == 3);
  }

  private static Thing mutex() {
    Mutex mutex = new Mutex();
    Guard held = mutex.lockAsync().join();
    return new Thing(
        "mutex",
        Select.lock(
            mutex,
            guard -> {
              String result = mutex.isHeldByCurrentThread() ? "mutex" : "not the owner";
              guard.close();
              return result;
            }),
        held::close,
        mutex::waiting,
        () -> !mutex.isLocked());
  }

  private static Thing read() {
    RwLock lock = new RwLock();
    WriteGuard held = lock.writeLock().lockAsync().join();
    return new Thing(
        "read",
        Select.lock(
            lock.readLock(),
            guard -> {
              String result = lock.readerCount() > 0 ? "read" : "not reading";
              guard.close();
              return result;
            }),
        held::close,
        lock::waiting,
        () -> lock.readerCount() == 0 && !lock.isWriteLocked());
  }

  private static Thing write() {
    RwLock lock = new RwLock();
    Guard held = lock.readLock().lockAsync().join();
    return new Thing(
        "write",
        Select.lock(
            lock.writeLock(),
            guard -> {
              String result = lock.writeLock().isHeldByCurrentThread() ? "write" : "not the owner";
              guard.close();
              return result;
            }),
        held::close,
        lock::waiting,
        () -> lock.readerCount() == 0 && !lock.isWriteLocked());
  }

  private static Thing promise() {
    Promise<String> promise = new Promise<>();
    Waitable<String> future = promise.future();
    return new Thing(
        "promise",
        Select.done(future, result -> result.isOk() ? "promise" : "failed"),
        () -> promise.complete("value"),
        ((Completion) future)::waiting,
        () -> true);
  }

  private static Thing stage() {
    CompletableFuture<String> future = new CompletableFuture<>();
    return new Thing(
        "stage",
        Select.stage(future, result -> result.isOk() ? "stage" : "failed"),
        () -> future.complete("value"),
        future::getNumberOfDependents,
        () -> true);
  }

  /** One that is not a CompletableFuture: it is asked once, and mirrored. */
  private static Thing foreignStage() {
    CompletableFuture<String> future = new CompletableFuture<>();
    Clause<String> clause = Select.stage(future.minimalCompletionStage(), result -> result.isOk() ? "foreign stage" : "failed");
    return new Thing("foreign stage", clause, () -> future.complete("value"), () -> 0, () -> true);
  }

  private static Thing event() {
    Event event = new Event();
    return new Thing("event", Select.event(event, () -> "event"), event::set, event::waiting, () -> true);
  }

  private static Thing borrow() {
    Pool<String> pool = Pool.of(1, () -> "resource");
    Borrowed<String> held = pool.tryAcquire().orElseThrow();
    return new Thing(
        "borrow",
        Select.borrow(
            pool,
            borrowed -> {
              String result = borrowed.get().equals("resource") ? "borrow" : "wrong resource";
              borrowed.close();
              return result;
            }),
        held::close,
        pool::waiting,
        () -> pool.stats().idle() == 1);
  }

  private static Thing batch() {
    BatchQueue<Integer> queue = new BatchQueue<>();
    queue.put(1);
    return new Thing(
        "receive a batch",
        Select.getMany(queue, 3, items -> items.equals(List.of(1, 2, 3)) ? "receive a batch" : "wrong items"),
        () -> queue.putAll(List.of(2, 3)),
        queue::waiting,
        () -> queue.size() == 0);
  }

  /** Whether {@link #waiting} can see those who wait. */
  public boolean isWatched() {
    return !name.equals("foreign stage");
  }

  @Override
  public String toString() {
    return name;
  }
}

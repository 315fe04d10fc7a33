// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench;

import dev.baton.bench.work.BatchHandOver;
import dev.baton.bench.work.BigRequest;
import dev.baton.bench.work.BufferedMessages;
import dev.baton.bench.work.BufferedMessagesOnOneCarrier;
import dev.baton.bench.work.ContendedPermits;
import dev.baton.bench.work.ContendedPool;
import dev.baton.bench.work.EffectAwait;
import dev.baton.bench.work.EffectAwaitAsync;
import dev.baton.bench.work.EffectPerform;
import dev.baton.bench.work.EffectPermit;
import dev.baton.bench.work.EffectSpawn;
import dev.baton.bench.work.EffectSpawnStepped;
import dev.baton.bench.work.EffectState;
import dev.baton.bench.work.EffectSwitch;
import dev.baton.bench.work.EffectSwitchStepped;
import dev.baton.bench.work.EnqueueCancel;
import dev.baton.bench.work.FastPath;
import dev.baton.bench.work.ForkJoin;
import dev.baton.bench.work.HandOver;
import dev.baton.bench.work.Hop;
import dev.baton.bench.work.HopOnOneCarrier;
import dev.baton.bench.work.InterruptStorm;
import dev.baton.bench.work.JoxChain;
import dev.baton.bench.work.JoxPair;
import dev.baton.bench.work.JoxParallel;
import dev.baton.bench.work.JoxRendezvousChain;
import dev.baton.bench.work.JoxRendezvousParallel;
import dev.baton.bench.work.JoxSelects;
import dev.baton.bench.work.LeasePair;
import dev.baton.bench.work.LiveLeases;
import dev.baton.bench.work.ManyTasks;
import dev.baton.bench.work.MillionCancels;
import dev.baton.bench.work.ObservedHold;
import dev.baton.bench.work.ObservedLock;
import dev.baton.bench.work.ObservedPair;
import dev.baton.bench.work.ObservedWait;
import dev.baton.bench.work.ParallelMap;
import dev.baton.bench.work.ParkedTasks;
import dev.baton.bench.work.ParkedTasksStepped;
import dev.baton.bench.work.ReadersAndWriters;
import dev.baton.bench.work.RendezvousMessages;
import dev.baton.bench.work.RendezvousMessagesOnOneCarrier;
import dev.baton.bench.work.Schedules;
import dev.baton.bench.work.SchedulesOnOneCarrier;
import dev.baton.bench.work.SchedulesStepped;
import dev.baton.bench.work.SelectMessages;
import dev.baton.bench.work.SelectMessagesOnOneCarrier;
import dev.baton.bench.work.ServeAsync;
import dev.baton.bench.work.SleepingHolders;
import dev.baton.bench.work.Switch;
import dev.baton.bench.work.SwitchOnOneCarrier;
import dev.baton.bench.work.SwitchStepped;
import dev.baton.bench.work.TimedSelectMessages;
import dev.baton.bench.work.TimedSelectMessagesOnOneCarrier;
import dev.baton.bench.work.TrackedHold;
import dev.baton.bench.work.TrackedLock;
import dev.baton.bench.work.TrackedRead;
import dev.baton.bench.work.UncontendedBatch;
import dev.baton.bench.work.UncontendedMutex;
import dev.baton.bench.work.UncontendedPool;
import dev.baton.bench.work.UncontendedRead;
import dev.baton.bench.work.UncontendedSemaphore;
import dev.baton.bench.work.UncontendedWeighted;
import dev.baton.bench.work.UncontendedWrite;
import dev.baton.bench.work.WaiterMemory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All there is to run. */
final class Suites {
  /** The suites of {@link MoreSuites}, for those who ask what there is: they are built when one of them is first asked for. */
  static final Map<String, String> ELSEWHERE =
      Map.of("redis", "leases on Redis beside Redisson and Curator, 64 callers, and 10,000 waiters; only if asked for by name");

  static final List<Suite> ALL =
      List.of(
          new Suite(
              "pair",
              "acquire and release without contention, one platform thread",
              3,
              List.of(
                  new Work(UncontendedSemaphore.class, "acquire + release of 1 permit of 4"),
                  new Work(UncontendedWeighted.class, "acquire + release of 3 permits of 4"),
                  new Work(UncontendedMutex.class, "lock + unlock"))),
          new Suite(
              "permits",
              "4 permits, up to 10,000 virtual threads, nothing to do inside",
              2,
              List.of(
                  new Work(ContendedPermits.class, "4 permits, {threads} virtual threads, tiny section").acrossCores()
                      .quick("threads", "2", "1000"))),
          new Suite(
              "handover",
              "1 permit that up to 10,000 virtual threads pass on, sections of 10 ns and 0.8 µs",
              2,
              List.of(
                  new Work(HandOver.class, "1 permit, {threads} virtual threads, section of {sectionNanos} ns").acrossCores()
                      .quick("threads", "1000"))),
          new Suite(
              "rwpair",
              "reading and writing under a read-write lock without contention, one platform thread",
              3,
              List.of(
                  new Work(UncontendedRead.class, "lock for reading + unlock"),
                  new Work(UncontendedWrite.class, "lock for writing + unlock"))),
          new Suite(
              "rwmix",
              "64 virtual threads that read twice for each time they write, sections of 10 ns and 0.8 µs",
              2,
              List.of(
                  new Work(
                      ReadersAndWriters.class, "2 reads per write, {threads} virtual threads, section of {sectionNanos} ns").acrossCores())),
          new Suite(
              "hop",
              "a turn that two virtual threads pass to and fro",
              3,
              List.of(
                  new Work(HopOnOneCarrier.class, "hand-over between 2 virtual threads on one carrier"),
                  new Work(Hop.class, "hand-over between 2 virtual threads on all carriers").acrossCores())),
          new Suite(
              "fork",
              "forking 10,000 tasks and waiting for all of them",
              3,
              List.of(new Work(ForkJoin.class, "fork + join of 10,000 tasks, per task").acrossCores())),
          new Suite(
              "pool",
              "borrowing one of 8 resources and giving it back, alone and among 64 virtual threads",
              3,
              List.of(
                  new Work(UncontendedPool.class, "borrow + give back, one platform thread"),
                  new Work(ContendedPool.class, "8 resources, {threads} virtual threads, inside: {inside}").acrossCores())),
          new Suite(
              "batch",
              "64 items put one by one and taken together, by one thread and by two",
              3,
              List.of(
                  new Work(UncontendedBatch.class, "put × 64, then take 64 together, per item"),
                  new Work(BatchHandOver.class, "{batch} items from one virtual thread to another, per batch").acrossCores())),
          new Suite(
              "parallel",
              "a tiny task for each of 100,000 items, at most 64 at a time, results in order",
              3,
              List.of(new Work(ParallelMap.class, "100,000 items, at most 64 at a time, per item").acrossCores())),
          new Suite(
              "executor",
              "1,000,000 tiny tasks handed in by one thread, at most 10 or 200 at a time",
              3,
              List.of(new Work(ManyTasks.class, "1,000,000 tasks, at most {limit} at a time, per task").acrossCores())),
          new Suite(
              "sleep",
              "1,000 virtual threads that sleep 1 ms while they hold one of 4 or 16 permits",
              2,
              List.of(
                  new Work(
                      SleepingHolders.class, "{permits} permits, {threads} virtual threads that sleep 1 ms inside"))),
          new Suite(
              "interrupt",
              "interrupting 1,000 to 64,000 waiters at once; cancelling a million asynchronous ones",
              2,
              List.of(
                  // j.u.c takes four times as long for twice as many: beyond 16,000 Baton goes on alone.
                  new Work(InterruptStorm.class, "interrupt {waiters} waiters")
                      .with("waiters", "1000", "2000", "4000", "8000", "16000")
                      .quick("waiters", "1000", "16000"),
                  new Work(InterruptStorm.class, "interrupt {waiters} waiters")
                      .with("waiters", "32000", "64000")
                      .with("impl", "baton")
                      .quick("waiters", "64000"),
                  new Work(MillionCancels.class, "cancel {asyncWaiters} asynchronous waiters"))),
          new Suite(
              "slowpath",
              "queueing and cancelling, serving k waiters at once, a big request among small ones",
              2,
              List.of(
                  new Work(EnqueueCancel.class, "acquireAsync on an empty semaphore, then cancel"),
                  new Work(ServeAsync.class, "acquireAsync × {k}, then release({k})"),
                  new Work(BigRequest.class, "3,000 permits of 3,000 while 8 threads take and return 3"))),
          new Suite(
              "tracking",
              "what it costs to write down who holds what, without contention, one platform thread",
              3,
              List.of(
                  new Work(TrackedLock.class, "lock + unlock, tracking off, on and with stacks"),
                  new Work(TrackedHold.class, "hold + close of 1 permit of 4, tracking off, on and with stacks"),
                  new Work(TrackedRead.class, "lock for reading + unlock, tracking off, on and with stacks"))),
          new Suite(
              "observe",
              "what it costs to be named, recorded and metered: without contention by one platform thread, and waiting",
              3,
              List.of(
                  new Work(ObservedPair.class, "acquire + release of 1 permit of 4, observed"),
                  new Work(ObservedHold.class, "hold + close of 1 permit of 4, observed"),
                  new Work(ObservedLock.class, "lock + unlock, observed"),
                  new Work(ObservedWait.class, "1 permit, {threads} virtual threads, {sectionNanos} ns inside, observed"))),
          new Suite(
              "memory",
              "heap per waiting virtual thread, at 100,000 of them",
              1,
              List.of(
                  new Work(WaiterMemory.class, "{threads} waiting virtual threads").quick("threads", "20000"))),
          new Suite(
              "switch",
              "two cooperative tasks that take turns, beside two bare virtual threads",
              3,
              List.of(
                  new Work(SwitchStepped.class, "switch between 2 cooperative tasks, stepped engine"),
                  new Work(SwitchOnOneCarrier.class, "switch between 2 cooperative tasks, portable engine, one carrier"),
                  new Work(Switch.class, "switch between 2 cooperative tasks, portable engine, all carriers").acrossCores())),
          new Suite(
              "check",
              "how many schedules of a program with three tasks are tried in a second",
              2,
              List.of(
                  new Work(SchedulesStepped.class, "schedules of 3 tasks, {operations} operations, stepped engine"),
                  new Work(
                      SchedulesOnOneCarrier.class, "schedules of 3 tasks, {operations} operations, portable engine, one carrier"),
                  new Work(Schedules.class, "schedules of 3 tasks, {operations} operations, portable engine, all carriers"))),
          new Suite(
              "parked",
              "heap per cooperative task that waits, at a million of them",
              1,
              List.of(
                  new Work(ParkedTasksStepped.class, "{tasks} waiting cooperative tasks, stepped engine").quick("tasks", "20000"),
                  new Work(ParkedTasks.class, "{tasks} waiting cooperative tasks, portable engine").quick("tasks", "20000"))),
          new Suite(
              "fastpath",
              "a pair without contention, before and after a cooperative run in the same JVM",
              3,
              List.of(new Work(FastPath.class, "uncontended pair by an ordinary thread"))),
          new Suite(
              "channels",
              "messages through a buffer of 64 and without one, 1 to 1,000 virtual threads on either side",
              2,
              List.of(
                  new Work(BufferedMessages.class, "buffer of 64, {pairs} × {pairs} virtual threads").acrossCores().quick("pairs", "1"),
                  new Work(RendezvousMessages.class, "rendezvous, {pairs} × {pairs} virtual threads").acrossCores().quick("pairs", "1"),
                  new Work(BufferedMessagesOnOneCarrier.class, "buffer of 64, {pairs} × {pairs} virtual threads, one carrier")
                      .with("pairs", "1"),
                  new Work(RendezvousMessagesOnOneCarrier.class, "rendezvous, {pairs} × {pairs} virtual threads, one carrier")
                      .with("pairs", "1"))),
          new Suite(
              "select",
              "receiving from whichever of two channels has something, buffers of 64",
              2,
              List.of(
                  new Work(SelectMessages.class, "select of {channels}, buffers of 64").acrossCores(),
                  new Work(TimedSelectMessages.class, "select of {channels} with a time-out, buffers of 64").acrossCores(),
                  new Work(SelectMessagesOnOneCarrier.class, "select of {channels}, buffers of 64, one carrier"),
                  new Work(TimedSelectMessagesOnOneCarrier.class, "select of {channels} with a time-out, buffers of 64, one carrier"))),
          new Suite(
              "joxworks",
              "what jox measures itself by: one pair, 10,000 pairs, a chain of 10,000 channels, selects without buffers",
              2,
              List.of(
                  new Work(JoxPair.class, "one pair, capacity {capacity}").acrossCores()
                      .with("capacity", "0")
                      .with("impl", "batonChannel", "jox", "kotlinChannel", "synchronousQueue"),
                  new Work(JoxPair.class, "one pair, capacity {capacity}").acrossCores().with("capacity", "16", "100").quick("capacity", "16"),
                  new Work(JoxRendezvousChain.class, "chain of 10,000 channels, capacity {capacity}").acrossCores()
                      .with("capacity", "0")
                      .with("impl", "batonChannel", "jox", "kotlinChannel", "synchronousQueue"),
                  new Work(JoxChain.class, "chain of 10,000 channels, capacity {capacity}").acrossCores().quick("capacity", "16"),
                  new Work(JoxRendezvousParallel.class, "10,000 pairs, capacity {capacity}").acrossCores()
                      .with("capacity", "0")
                      .with("impl", "batonChannel", "jox", "kotlinChannel", "synchronousQueue"),
                  new Work(JoxParallel.class, "10,000 pairs, capacity {capacity}").acrossCores().quick("capacity", "16"),
                  new Work(JoxSelects.class, "select of {channels}, capacity 0").acrossCores().quick("channels", "2"))),
          new Suite(
              "effects",
              "effects that are performed and answered, tasks that are spawned, and turns that two tasks pass to and fro",
              2,
              List.of(
                  new Work(EffectPerform.class, "perform, sets of handlers in scope: {depth}"),
                  new Work(EffectState.class, "get + put of one of 8 keys"),
                  new Work(EffectPermit.class, "acquire + release of 1 permit of 4, as effects and not"),
                  new Work(EffectSpawnStepped.class, "spawn + gather of {tasks} tasks, stepped engine, per task")
                      .quick("tasks", "1000"),
                  new Work(EffectSpawn.class, "spawn + gather of {tasks} tasks, portable engine, one carrier, per task")
                      .quick("tasks", "1000"),
                  new Work(EffectSwitchStepped.class, "hand-over between 2 tasks, stepped engine"),
                  new Work(EffectSwitch.class, "hand-over between 2 tasks, portable engine, one carrier"),
                  new Work(EffectAwait.class, "await of a stage that has ended"),
                  new Work(EffectAwaitAsync.class, "await of asynchronous work, one piece after the other"))),
          new Suite(
              "leases",
              "leases in memory: acquiring and releasing one with a time to live, and a million that expire",
              2,
              List.of(
                  new Work(LeasePair.class, "acquire + release of a lease with a time to live"),
                  new Work(LiveLeases.class, "{leases} leases with a time to live, held together").quick("leases", "100000"))));

  private Suites() {}

  /** One of all, or of those elsewhere if they are there. */
  static Optional<Suite> named(String name) {
    return Stream.concat(ALL.stream(), MoreSuites.FOUND.stream().flatMap(more -> more.suites().stream()))
        .filter(suite -> suite.name().equals(name))
        .findFirst();
  }

  static List<String> names() {
    return ALL.stream().map(Suite::name).toList();
  }
}

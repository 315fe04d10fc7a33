// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.effect.Effects;
import dev.baton.observe.Tracking;
import dev.baton.runtime.Cooperative;
import dev.baton.sync.Promise;
import dev.baton.sync.Semaphore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that appears in a table. The {@link #key} is a benchmark method's name or the value of its {@code impl}
 * parameter; the {@link #label} is what a reader sees. Tables keep this order.
 */
public enum Peer {
  // Floors: the same work with nothing but what the JDK cannot do without, which nothing can undercut.
  GET_AND_ADDS("getAndAdds", "two bare getAndAdds"),
  BARE_SLEEPERS("bareSleepers", "bare sleepers, as many as permits"),
  BARE_PARK("barePark", "bare LockSupport.park"),
  BARE_HOP("bareHop", "bare park and unpark"),
  BARE_THREADS("bareThreads", "bare virtual threads"),
  BARE_SWITCH("bareSwitch", "bare park and unpark"),
  BARE_PARKED("bareParked", "bare parked virtual thread"),
  BARE_SUPPLY("bareSupply", "bare supplyAsync().get()"),
  BARE_PINGS("barePings", "two bare PINGs, Lettuce"),
  BATON("baton", "Baton Semaphore"),
  JUC_FAIR("jucFair", "j.u.c Semaphore, fair"),
  JUC_NONFAIR("jucNonfair", "j.u.c Semaphore, non-fair"),
  TRACKED("tracked", "Baton Semaphore, tracking on"),
  TRACKED_STACKS("trackedStacks", "Baton Semaphore, tracking with stacks"),
  NAMED("named", "Baton Semaphore, named"),
  RECORDED("recorded", "Baton Semaphore, named, flight recording"),
  LEASHED("leashed", "Baton Semaphore, named, flight recording with leaks"),
  METERED("metered", "Baton Semaphore, named, Micrometer"),
  KOTLIN("kotlin", "Kotlin Semaphore"),
  BATON_MUTEX("batonMutex", "Baton Mutex"),
  LOCK_FAIR("lockFair", "ReentrantLock, fair"),
  LOCK_NONFAIR("lockNonfair", "ReentrantLock, non-fair"),
  TRACKED_MUTEX("trackedMutex", "Baton Mutex, tracking on"),
  TRACKED_STACKS_MUTEX("trackedStacksMutex", "Baton Mutex, tracking with stacks"),
  NAMED_MUTEX("namedMutex", "Baton Mutex, named"),
  RECORDED_MUTEX("recordedMutex", "Baton Mutex, named, flight recording"),
  METERED_MUTEX("meteredMutex", "Baton Mutex, named, Micrometer"),
  KOTLIN_MUTEX("kotlinMutex", "Kotlin Mutex"),
  BATON_RW("batonRw", "Baton RwLock"),
  TRACKED_RW("trackedRw", "Baton RwLock, tracking on"),
  TRACKED_STACKS_RW("trackedStacksRw", "Baton RwLock, tracking with stacks"),
  RW_FAIR("rwFair", "ReentrantReadWriteLock, fair"),
  RW_NONFAIR("rwNonfair", "ReentrantReadWriteLock, non-fair"),
  STAMPED("stamped", "StampedLock"),
  BATON_NOTIFY("batonNotify", "Baton Notify"),
  BATON_BARRIER("batonBarrier", "Baton Barrier"),
  CYCLIC_BARRIER("cyclicBarrier", "CyclicBarrier"),
  BATON_PROMISE("batonPromise", "Baton Promise"),
  LATCH("latch", "CountDownLatch"),
  FUTURE("future", "CompletableFuture"),
  BATON_SCOPE("batonScope", "Baton Scope"),
  EXECUTOR("executor", "virtual-thread-per-task executor"),
  BATON_PARALLEL("batonParallel", "Baton Parallel.map"),
  MAP_CONCURRENT("mapConcurrent", "Gatherers.mapConcurrent"),
  GATED_FUTURES("gatedFutures", "per-task executor + j.u.c Semaphore, fair"),
  BATON_EXECUTOR("batonExecutor", "Baton BoundedExecutor"),
  BATON_EXECUTOR_THREAD_PER_TASK("batonExecutorThreadPerTask", "Baton BoundedExecutor, a thread per task"),
  GATED_EXECUTOR("gatedExecutor", "per-task executor + j.u.c Semaphore, fair"),
  BATON_YIELD("batonYield", "Baton Cooperative.yieldNow"),
  BATON_TASK("batonTask", "Baton cooperative task"),
  BATON_CHECK("batonCheck", "Baton Check"),
  AFTER_RUN("batonAfterRun", "Baton Semaphore, after a cooperative run"),
  MUTEX_AFTER_RUN("mutexAfterRun", "Baton Mutex, after a cooperative run"),
  BATON_CHANNEL("batonChannel", "Baton Channel"),
  JOX("jox", "jox Channel"),
  KOTLIN_CHANNEL("kotlinChannel", "Kotlin Channel"),
  ARRAY_QUEUE("arrayQueue", "ArrayBlockingQueue"),
  SYNCHRONOUS_QUEUE("synchronousQueue", "SynchronousQueue"),
  TRANSFER_QUEUE("transferQueue", "LinkedTransferQueue"),
  BATON_SELECT("batonSelect", "Baton Select"),
  BIASED_SELECT("biasedSelect", "Baton Select, biased"),
  JOX_SELECT("joxSelect", "jox select"),
  KOTLIN_SELECT("kotlinSelect", "Kotlin select"),
  BATON_POOL("batonPool", "Baton Pool"),
  COMMONS_POOL("commonsPool", "Apache commons-pool2"),
  COMMONS_POOL_FAIR("commonsPoolFair", "Apache commons-pool2, fair"),
  HIKARI_BAG("hikariBag", "HikariCP ConcurrentBag"),
  BATON_BATCH("batonBatch", "Baton BatchQueue"),
  LINKED_QUEUE("linkedQueue", "LinkedBlockingQueue.drainTo"),
  BATON_PERFORM("batonPerform", "Baton perform"),
  BATON_STATE("batonState", "Baton get + put"),
  EFFECT_PERMIT("effectPermit", "Baton acquire + release as effects"),
  BATON_SPAWN("batonSpawn", "Baton spawn + gather"),
  KOTLIN_LAUNCH("kotlinLaunch", "Kotlin launch + join"),
  EFFECT_YIELD("effectYield", "Baton Effects.yieldNow"),
  EFFECT_PROMISE("effectPromise", "Baton promise effects"),
  EFFECT_SEMAPHORE("effectSemaphore", "Baton semaphore effects"),
  KOTLIN_YIELD("kotlinYield", "Kotlin yield"),
  KOTLIN_HAND_OVER("kotlinHandOver", "Kotlin Semaphore, handed over"),
  BATON_AWAIT("batonAwait", "Baton await of a stage"),
  AWAIT_CALLABLE("awaitCallable", "Baton await of a callable"),
  BATON_LEASE("batonLease", "Baton lease in memory"),
  BATON_REDIS("batonRedis", "Baton lease on Redis"),
  REDISSON_PERMIT("redissonPermit", "Redisson RPermitExpirableSemaphore"),
  REDISSON_SEMAPHORE("redissonSemaphore", "Redisson RSemaphore"),
  CURATOR("curator", "Curator InterProcessSemaphoreV2");

  private final String key;
  private final String label;

  Peer(String key, String label) {
    this.key = key;
    this.label = label;
  }

  public String key() {
    return key;
  }

  public String label() {
    return label;
  }

  /** The Baton class that does the same job; a floor is compared with the leanest of those above it. */
  public Peer counterpart() {
    return switch (this) {
      case BATON,
          TRACKED,
          TRACKED_STACKS,
          NAMED,
          RECORDED,
          LEASHED,
          METERED,
          JUC_FAIR,
          JUC_NONFAIR,
          KOTLIN,
          GET_AND_ADDS,
          BARE_SLEEPERS,
          BARE_PARK,
          AFTER_RUN,
          EFFECT_PERMIT -> BATON;
      case BATON_MUTEX,
          TRACKED_MUTEX,
          TRACKED_STACKS_MUTEX,
          NAMED_MUTEX,
          RECORDED_MUTEX,
          METERED_MUTEX,
          LOCK_FAIR,
          LOCK_NONFAIR,
          KOTLIN_MUTEX,
          MUTEX_AFTER_RUN -> BATON_MUTEX;
      case BATON_RW, TRACKED_RW, TRACKED_STACKS_RW, RW_FAIR, RW_NONFAIR, STAMPED -> BATON_RW;
      case BATON_NOTIFY, BARE_HOP -> BATON_NOTIFY;
      case BATON_BARRIER, CYCLIC_BARRIER -> BATON_BARRIER;
      case BATON_PROMISE, LATCH, FUTURE -> BATON_PROMISE;
      case BATON_SCOPE, EXECUTOR, BARE_THREADS -> BATON_SCOPE;
      case BATON_PARALLEL, MAP_CONCURRENT, GATED_FUTURES -> BATON_PARALLEL;
      case BATON_EXECUTOR, BATON_EXECUTOR_THREAD_PER_TASK, GATED_EXECUTOR -> BATON_EXECUTOR;
      case BATON_YIELD, BARE_SWITCH -> BATON_YIELD;
      case BATON_TASK, BARE_PARKED -> BATON_TASK;
      case BATON_CHECK -> BATON_CHECK;
      case BATON_CHANNEL, JOX, KOTLIN_CHANNEL, ARRAY_QUEUE, SYNCHRONOUS_QUEUE, TRANSFER_QUEUE -> BATON_CHANNEL;
      case BATON_SELECT, BIASED_SELECT, JOX_SELECT, KOTLIN_SELECT -> BATON_SELECT;
      case BATON_POOL, COMMONS_POOL, COMMONS_POOL_FAIR, HIKARI_BAG -> BATON_POOL;
      case BATON_BATCH, LINKED_QUEUE -> BATON_BATCH;
      case BATON_PERFORM -> BATON_PERFORM;
      case BATON_STATE -> BATON_STATE;
      case BATON_SPAWN, KOTLIN_LAUNCH -> BATON_SPAWN;
      case EFFECT_YIELD, KOTLIN_YIELD -> EFFECT_YIELD;
      case EFFECT_PROMISE -> EFFECT_PROMISE;
      case EFFECT_SEMAPHORE, KOTLIN_HAND_OVER -> EFFECT_SEMAPHORE;
      case BATON_AWAIT, AWAIT_CALLABLE, BARE_SUPPLY -> BATON_AWAIT;
      case BATON_LEASE -> BATON_LEASE;
      case BATON_REDIS, REDISSON_PERMIT, REDISSON_SEMAPHORE, CURATOR, BARE_PINGS -> BATON_REDIS;
    };
  }

  /** Whether it is the same work without what is measured. */
  public boolean isFloor() {
    return switch (this) {
      case GET_AND_ADDS, BARE_SLEEPERS, BARE_PARK, BARE_HOP, BARE_THREADS, BARE_SWITCH, BARE_PARKED, BARE_SUPPLY, BARE_PINGS ->
          true;
      default -> false;
    };
  }

  /** How much is written down while it runs. */
  public Tracking tracking() {
    return switch (this) {
      case TRACKED, TRACKED_MUTEX, TRACKED_RW -> Tracking.ON;
      case TRACKED_STACKS, TRACKED_STACKS_MUTEX, TRACKED_STACKS_RW -> Tracking.STACKS;
      default -> Tracking.OFF;
    };
  }

  /** What looks on while it runs. */
  public Onlooker onlooker() {
    return switch (this) {
      case NAMED, NAMED_MUTEX -> Onlooker.NOBODY;
      case RECORDED, RECORDED_MUTEX -> Onlooker.RECORDING;
      case LEASHED -> Onlooker.RECORDING_LEAKS;
      case METERED, METERED_MUTEX -> Onlooker.MICROMETER;
      default -> Onlooker.NONE_POSSIBLE;
    };
  }

  public boolean isBaton() {
    return counterpart() == this;
  }

  /** Whether its workers are coroutines: then {@link #suspendGate} and the like make what they use, else {@link #gate} and the like. */
  public boolean suspends() {
    return switch (this) {
      case KOTLIN, KOTLIN_MUTEX, KOTLIN_CHANNEL, KOTLIN_SELECT, KOTLIN_LAUNCH, KOTLIN_YIELD, KOTLIN_HAND_OVER -> true;
      default -> false;
    };
  }

  public Gate gate(int permits) {
    return switch (this) {
      case BATON -> new BatonSemaphore(permits);
      case NAMED, RECORDED, METERED -> new BatonSemaphore(Semaphore.of(permits).named(key));
      case JUC_FAIR -> new JucSemaphore(permits, true);
      case JUC_NONFAIR -> new JucSemaphore(permits, false);
      case BATON_MUTEX -> new BatonMutex();
      case LOCK_FAIR -> new JucLock(true);
      case LOCK_NONFAIR -> new JucLock(false);
      case BARE_SLEEPERS -> new OpenGate(permits);
      default -> throw new IllegalArgumentException(label + " has no gate for threads");
    };
  }

  public SuspendGate suspendGate(int permits) {
    return switch (this) {
      case KOTLIN -> new KotlinSemaphore(permits);
      case KOTLIN_MUTEX -> new KotlinMutex();
      default -> throw new IllegalArgumentException(label + " has no gate for coroutines");
    };
  }

  public RwGate rwGate() {
    return switch (this) {
      case BATON_RW -> new BatonRw();
      case RW_FAIR -> new JucRw(true);
      case RW_NONFAIR -> new JucRw(false);
      case STAMPED -> new Stamped();
      default -> throw new IllegalArgumentException(label + " has no readers and writers");
    };
  }

  public Lender lender(int limit) {
    return switch (this) {
      case BATON_POOL -> new BatonPool(limit);
      case COMMONS_POOL -> new CommonsPool(limit, false);
      case COMMONS_POOL_FAIR -> new CommonsPool(limit, true);
      case HIKARI_BAG -> new HikariBag(limit);
      default -> throw new IllegalArgumentException(label + " lends nothing");
    };
  }

  public Batches batches() {
    return switch (this) {
      case BATON_BATCH -> new BatonBatches();
      case LINKED_QUEUE -> new LinkedBatches();
      default -> throw new IllegalArgumentException(label + " has no batches");
    };
  }

  /** What two threads, of sides 0 and 1, pass a turn on by; both are there when the first of them takes or gives. */
  public Relay relay(Thread[] sides) {
    return switch (this) {
      case BARE_HOP, BARE_SWITCH -> new BareRelay(sides);
      case BATON_YIELD -> new YieldRelay(Cooperative::yieldNow);
      case EFFECT_YIELD -> new YieldRelay(Effects::yieldNow);
      case EFFECT_PROMISE ->
          new OneShotRelay<dev.baton.effect.Promise<Peer>>(
              Effects::promise, promise -> Effects.complete(promise, this), promise -> Effects.join(promise.future()));
      case EFFECT_SEMAPHORE -> new EffectSemaphoreRelay();
      case BATON -> new SemaphoreRelay();
      case BATON_NOTIFY -> new NotifyRelay();
      case BATON_BARRIER -> new BarrierRelay();
      case CYCLIC_BARRIER -> new CyclicBarrierRelay();
      case BATON_PROMISE ->
          new OneShotRelay<>(Promise<Peer>::new, promise -> promise.complete(this), promise -> promise.future().await());
      case LATCH -> new OneShotRelay<>(() -> new CountDownLatch(1), CountDownLatch::countDown, CountDownLatch::await);
      case FUTURE ->
          new OneShotRelay<>(CompletableFuture<Peer>::new, future -> future.complete(this), CompletableFuture::join);
      default -> throw new IllegalArgumentException(label + " passes nothing on");
    };
  }

  /** A pipe that holds as many messages as {@code capacity} says; with 0, sender and receiver meet. */
  public Pipe pipe(int capacity) {
    return switch (this) {
      case BATON_CHANNEL, BATON_SELECT, BIASED_SELECT -> new BatonPipe(capacity);
      case JOX, JOX_SELECT -> new JoxPipe(capacity);
      case ARRAY_QUEUE -> new QueuePipe(new ArrayBlockingQueue<>(capacity));
      case SYNCHRONOUS_QUEUE -> new QueuePipe(onlyMeetings(capacity, new SynchronousQueue<>()));
      case TRANSFER_QUEUE -> new TransferPipe(onlyMeetings(capacity, new LinkedTransferQueue<>()));
      default -> throw new IllegalArgumentException(label + " has no pipe for threads");
    };
  }

  private <Q> Q onlyMeetings(int capacity, Q queue) {
    if (capacity != 0) {
      throw new IllegalArgumentException(label + " as a pipe holds nothing, and not " + capacity + " messages");
    }
    return queue;
  }

  public SuspendPipe suspendPipe(int capacity) {
    return switch (this) {
      case KOTLIN_CHANNEL, KOTLIN_SELECT -> new KotlinPipe(capacity);
      default -> throw new IllegalArgumentException(label + " has no pipe for coroutines");
    };
  }

  /** Receives from whichever of these pipes of its own has a message first; fails if none has within the time-out, if there is one. */
  public Tap select(List<Pipe> pipes, @Nullable Duration timeout) {
    return switch (this) {
      case BATON_SELECT -> BatonSelect.of(pipes, timeout);
      case BIASED_SELECT -> BatonSelect.of(pipes, timeout).biased();
      case JOX_SELECT -> timeout == null ? new JoxSelect(pipes) : new JoxTimedSelect(pipes, timeout);
      default -> throw new IllegalArgumentException(label + " has no select for threads");
    };
  }

  public SuspendTap suspendSelect(List<SuspendPipe> pipes, @Nullable Duration timeout) {
    if (this != KOTLIN_SELECT) {
      throw new IllegalArgumentException(label + " has no select for coroutines");
    }
    return new KotlinSelect(pipes, timeout);
  }

  public static Peer of(String key) {
    for (Peer peer : values()) {
      if (peer.key.equals(key)) {
        return peer;
      }
    }
    String known = Arrays.stream(values()).map(Peer::key).collect(Collectors.joining(", "));
    throw new IllegalArgumentException("unknown implementation '" + key + "'; there are: " + known);
  }
}

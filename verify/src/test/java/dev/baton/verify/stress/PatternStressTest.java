// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.stress;

import dev.baton.channel.ChannelFailedException;
import dev.baton.pattern.BoundedExecutor;
import dev.baton.pattern.FlightFailedException;
import dev.baton.pattern.Idler;
import dev.baton.pattern.Parallel;
import dev.baton.pattern.Producer;
import dev.baton.pattern.SingleFlight;
import dev.baton.scope.Time;
import dev.baton.verify.Effort;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Patterns whose users are interrupted at random: no limit is exceeded, nothing is stranded, and nothing runs in the end. */
class PatternStressTest {
  private static final Duration TIME = Duration.ofSeconds(Effort.of(3, 60));
  private static final int LIMIT = 3;

  private final AtomicInteger running = new AtomicInteger();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong succeeded = new AtomicLong();

  /** One of {@code limit} tasks at most; some fail, some sleep, some leave an interrupt behind. */
  private int task(AtomicInteger inside, int limit, int number, SplittableRandom random) throws Exception {
    running.incrementAndGet();
    begun.incrementAndGet();
    try {
      if (inside.incrementAndGet() > limit) {
        throw new AssertionError("More than " + limit + " at a time");
      }
      switch (random.nextInt(40)) {
        case 0 -> throw new IOException("a task");
        case 1, 2 -> Time.sleep(Duration.ofNanos(random.nextInt(200_000)));
        case 3 -> Thread.currentThread().interrupt();
        default -> {
          // quick
        }
      }
      return 2 * number;
    } finally {
      inside.decrementAndGet();
      running.decrementAndGet();
    }
  }

  private void requireWorkWasDone(Crowd crowd) {
    crowd.requireSoon(() -> running.get() == 0, () -> running + " tasks still run");
    if (begun.get() < 1_000 || succeeded.get() < 10) {
      throw new AssertionError("Only " + begun + " tasks began, and " + succeeded + " succeeded: nothing was tested");
    }
  }

  @Test
  void parallelRunsKeepTheirLimitAndLeaveNothingBehind() {
    Crowd crowd = Crowd.ofVirtualThreads();
    crowd.runFor(
        8,
        TIME,
        (thread, random) -> {
          AtomicInteger inside = new AtomicInteger();
          int items = random.nextInt(60);
          SplittableRandom seeds = random.split();
          Iterator<Integer> source = IntStream.range(0, items).boxed().iterator();
          try {
            List<Integer> doubled =
                Parallel.map(source, LIMIT, number -> task(inside, LIMIT, number, split(seeds)));
            if (!doubled.equals(IntStream.range(0, items).map(i -> 2 * i).boxed().toList())) {
              throw new AssertionError("Not in order: " + doubled);
            }
            succeeded.incrementAndGet();
          } catch (IOException expected) {
            // a task
          } finally {
            requireNoneRuns(inside);
          }
        });
    requireWorkWasDone(crowd);
  }

  private static void requireNoneRuns(AtomicInteger inside) {
    if (inside.get() != 0) {
      throw new AssertionError(inside + " tasks still run");
    }
  }

  private static SplittableRandom split(SplittableRandom random) {
    synchronized (random) {
      return random.split();
    }
  }

  @Test
  void anExecutorKeepsItsLimitHoweverItsSubmittersEnd() throws Exception {
    AtomicInteger inside = new AtomicInteger();
    BoundedExecutor executor = BoundedExecutor.limit(LIMIT).queue(2).build();
    AtomicLong accepted = new AtomicLong();
    Crowd crowd = Crowd.ofVirtualThreads();
    crowd.runFor(
        12,
        TIME,
        (thread, random) -> {
          SplittableRandom own = random.split();
          Future<Integer> future;
          try {
            future = submit(executor, random.nextInt(3), () -> task(inside, LIMIT, thread, own));
          } catch (RejectedExecutionException | TimeoutException expected) {
            // interrupted, or no room in time
            Thread.interrupted();
            return;
          }
          accepted.incrementAndGet();
          try {
            if (random.nextInt(4) == 0) {
              future.cancel(random.nextBoolean());
            }
            if (future.get() != 2 * thread) {
              throw new AssertionError("Not its own result");
            }
            succeeded.incrementAndGet();
          } catch (ExecutionException | CancellationException expected) {
            if (expected.getCause() instanceof AssertionError wrong) {
              throw wrong;
            }
          }
        });
    executor.close();
    BoundedExecutor.Snapshot last = executor.snapshot();
    if (last.running() + last.queued() + last.waiting() != 0 || last.peak() > LIMIT) {
      throw new AssertionError("Not as it should be at the end: " + last);
    }
    requireWorkWasDone(crowd);
  }

  private static Future<Integer> submit(BoundedExecutor executor, int way, Callable<Integer> task)
      throws InterruptedException, TimeoutException {
    return switch (way) {
      case 0 -> executor.submit(task);
      case 1 -> executor.submitInterruptibly(task);
      default ->
          executor.trySubmit(task, Duration.ofNanos(100_000)).orElseThrow(() -> new TimeoutException("no room in time"));
    };
  }

  @Test
  void producersEndWithTheirConsumers() {
    Crowd crowd = Crowd.ofVirtualThreads();
    crowd.runFor(
        8,
        TIME,
        (thread, random) -> {
          int stop = random.nextInt(20);
          int fails = random.nextInt(30);
          Producer.Body<Integer> body =
              sink -> {
                running.incrementAndGet();
                try {
                  for (int i = 0; ; i++) {
                    begun.incrementAndGet();
                    if (i == fails) {
                      throw new IOException("the producer");
                    }
                    sink.send(i);
                  }
                } finally {
                  running.decrementAndGet();
                }
              };
          try (Producer<Integer> numbers = random.nextBoolean() ? Producer.of(body) : Producer.buffered(3, body)) {
            int expected = 0;
            for (int number : numbers) {
              if (number != expected++) {
                throw new AssertionError("Got " + number + " in the place of " + (expected - 1));
              }
              if (number == stop) {
                succeeded.incrementAndGet();
                break;
              }
            }
          } catch (CancellationException interrupted) {
            Thread.interrupted();
          } catch (ChannelFailedException expected) {
            if (!(expected.getCause() instanceof IOException) || fails > stop) {
              throw expected;
            }
          }
        });
    requireWorkWasDone(crowd);
  }

  @Test
  void flightsEndWithTheirLastCallerAndStrandNobody() {
    SingleFlight<Integer, Integer> flights = new SingleFlight<>();
    Crowd crowd = Crowd.ofVirtualThreads();
    crowd.runFor(
        12,
        TIME,
        (thread, random) -> {
          int key = random.nextInt(3);
          SplittableRandom own = random.split();
          Callable<Integer> work = () -> task(new AtomicInteger(), 1, key, own);
          try {
            switch (random.nextInt(10)) {
              case 0 -> flights.forget(key);
              case 1 -> {
                CompletableFuture<SingleFlight.Shared<Integer>> future = flights.callAsync(key, work);
                if (random.nextBoolean()) {
                  future.cancel(true);
                } else {
                  check(key, future.get());
                }
              }
              case 2 -> check(key, flights.call(key, Duration.ofNanos(random.nextInt(100_000)), work));
              default -> check(key, flights.call(key, work));
            }
          } catch (FlightFailedException | ExecutionException | TimeoutException expected) {
            // the work, or too late
          }
        });
    crowd.requireSoon(() -> flights.inFlight() == 0, flights::toString);
    requireWorkWasDone(crowd);
  }

  private void check(int key, SingleFlight.Shared<Integer> shared) {
    if (shared.value() != 2 * key) {
      throw new AssertionError(shared + " for " + key);
    }
    succeeded.incrementAndGet();
  }

  @Test
  void nobodyMissesAnIdleMoment() {
    Idler idler = new Idler();
    AtomicLong idles = new AtomicLong();
    Crowd crowd = Crowd.ofVirtualThreads();
    crowd.runFor(
        6,
        TIME,
        (thread, random) -> {
          begun.incrementAndGet();
          if (thread == 0) {
            idler.setBusy(true);
            idles.incrementAndGet();
            idler.setBusy(false);
            return;
          }
          idler.awaitIdle();
          succeeded.incrementAndGet();
        });
    requireWorkWasDone(crowd);
  }

  /** What lives on keeps neither items, nor tasks, nor threads of what is over. */
  @Test
  void nothingOfWhatIsOverIsKept() throws Exception {
    Queue<WeakReference<Object>> used = new ConcurrentLinkedQueue<>();
    SingleFlight<Integer, Object> flights = new SingleFlight<>();
    Idler idler = new Idler();
    try (BoundedExecutor executor = BoundedExecutor.limit(LIMIT).queue(LIMIT).build()) {
      for (int round = 0; round < 300; round++) {
        use(used, executor, flights, idler, round);
      }
      long start = System.nanoTime();
      // An executor may keep its last threads, which have ended, until the next task.
      while (used.stream().filter(reference -> reference.get() != null).count() > LIMIT) {
        if (System.nanoTime() - start > Duration.ofSeconds(30).toNanos()) {
          List<Object> kept = used.stream().map(WeakReference::get).filter(Objects::nonNull).toList();
          throw new AssertionError(kept.size() + " of " + used.size() + " are still there, such as " + kept.getFirst());
        }
        System.gc();
      }
      if (used.size() < 300 * 20) {
        throw new AssertionError("Only " + used.size() + " were used: nothing was tested");
      }
      // They had to be alive until here.
      if (executor.isShutdown() || flights.inFlight() != 0 || idler.isBusy()) {
        throw new AssertionError(executor + " " + flights + " " + idler);
      }
    }
  }

  private static void use(
      Queue<WeakReference<Object>> used,
      BoundedExecutor executor,
      SingleFlight<Integer, Object> flights,
      Idler idler,
      int round)
      throws Exception {
    Runnable here = () -> used.add(new WeakReference<>(Thread.currentThread()));
    Stream<Object> items = Stream.generate(() -> tracked(used, new byte[100])).limit(10);
    Parallel.forEach(items, LIMIT, item -> here.run());
    for (int i = 0; i < 5; i++) {
      executor.execute((Runnable) tracked(used, new Task(here)));
      Future<?> future = executor.submit((Runnable) tracked(used, new Task(here)));
      if (i == 0) {
        future.cancel(true);
      }
    }
    flights.call(
        round % 7,
        () -> {
          here.run();
          return tracked(used, new byte[100]);
        });
    idler.setBusy(true);
    CompletableFuture<?> waiting = idler.idle().toCompletableFuture();
    used.add(new WeakReference<>(waiting));
    idler.setBusy(false);
    try (Producer<Object> producer =
        Producer.buffered(
            2,
            sink -> {
              here.run();
              while (true) {
                sink.send(tracked(used, new byte[100]));
              }
            })) {
      producer.receive();
    }
  }

  private static Object tracked(Queue<WeakReference<Object>> used, Object object) {
    used.add(new WeakReference<>(object));
    return object;
  }

  /** An object of its own for each use. */
  private record Task(Runnable body) implements Runnable {
    @Override
    public void run() {
      body.run();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.lease.BackendUnavailableException;
import dev.baton.lease.Lease;
import dev.baton.lease.LeaseHolder;
import dev.baton.lease.LeaseSemaphore;
import dev.baton.lease.Leases;
import dev.baton.lease.ReleaseResult;
import dev.baton.lease.redis.RedisLeases;
import dev.baton.lease.redis.WhenUnavailable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process whose workers ask for leases, hold them and give them back, and that writes down what it sees. Told to be calm, each of its workers has
 * to get one lease of each name. It ends when it is told to, or when nobody is there any more who could.
 */
final class Worker {
  private static final Duration TIMEOUT = Duration.ofMillis(500);
  private static final long LOOK_MILLIS = 4;
  private static final long MILLI = 1_000_000;

  private final Journal journal;
  private final Leases leases;
  private final AtomicLong asked = new AtomicLong();
  private volatile boolean calm;

  private Worker(Journal journal, Leases leases) {
    this.journal = journal;
    this.leases = leases;
  }

  /** File of the journal, port, seed, number of workers. */
  public static void main(String[] args) throws Exception {
    Quiet.please();
    long seed = Long.parseLong(args[2]);
    int workers = Integer.parseInt(args[3]);
    try (Leases leases = connect(args[1], (seed & 1) == 0)) {
      new Worker(new Journal(Path.of(args[0])), leases).run(seed, workers);
    }
    say("bye");
    System.exit(0);
  }

  /** Leases on the server on that port, however long it takes to reach it. */
  static Leases connect(String port, boolean patient) {
    RedisLeases.Builder builder =
        RedisLeases.builder().uri("redis://127.0.0.1:" + port).namespace(Resource.NAMESPACE).commandTimeout(TIMEOUT);
    builder.whenUnavailable(patient ? WhenUnavailable.RETRY : WhenUnavailable.FAIL);
    while (true) {
      try {
        return builder.connect();
      } catch (BackendUnavailableException notNow) {
        Soon.pause(100);
      }
    }
  }

  private static void say(String word) {
    System.out.println(word);
    System.out.flush();
  }

  private void run(long seed, int workers) throws IOException, InterruptedException {
    List<Thread> threads = new ArrayList<>();
    CountDownLatch served = new CountDownLatch(workers);
    for (int i = 0; i < workers; i++) {
      Random random = new Random(seed * 1_000 + i);
      threads.add(Thread.ofVirtual().name("worker " + i).start(() -> work(random, served)));
    }
    say("ready");
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String order = orders.readLine(); order != null && !order.equals("quit"); order = orders.readLine()) {
      calm = true;
      served.await();
      say("served");
    }
    calm = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void work(Random random, CountDownLatch served) {
    while (!calm) {
      once(random);
    }
    for (Resource resource : Resource.ALL) {
      served(resource);
    }
    served.countDown();
  }

  // ---- one lease ----

  private void once(Random random) {
    Resource resource = Resource.ALL.get(random.nextInt(Resource.ALL.size()));
    int permits = random.nextInt(3) == 0 ? 1 + random.nextInt(resource.limit()) : 1;
    LeaseSemaphore semaphore = leases.semaphore(resource.name(), resource.limit()).window(Resource.WINDOW);
    if (random.nextInt(12) == 0) {
      semaphore = semaphore.ttl(Duration.ofMillis(50 + random.nextInt(300)));
    }
    if (random.nextInt(30) == 0) {
      revokeOne(semaphore, random);
    }
    long number = asked.incrementAndGet();
    long time = System.nanoTime();
    journal.write("ask", time, number);
    String none = "nothing";
    Lease lease = null;
    try {
      lease = ask(semaphore, permits, random);
    } catch (TimeoutException late) {
      none = "late";
    } catch (BackendUnavailableException unreachable) {
      none = "unavailable";
    } catch (InterruptedException interrupted) {
      none = "interrupted";
    }
    if (lease == null) {
      journal.write("none", System.nanoTime(), number, none);
      Soon.pause(random.nextInt(none.equals("unavailable") ? 100 : 20));
      return;
    }
    hold(lease, time, holdMillis(random, resource));
    Soon.pause(random.nextInt(10));
  }

  /** Takes a lease away from somebody, perhaps in another process. */
  private static void revokeOne(LeaseSemaphore semaphore, Random random) {
    try {
      List<LeaseHolder> holders = semaphore.holders();
      if (!holders.isEmpty()) {
        semaphore.revoke(holders.get(random.nextInt(holders.size())).id());
      }
    } catch (BackendUnavailableException unreachable) {
      // Another time.
    }
  }

  private static long holdMillis(Random random, Resource resource) {
    int kind = random.nextInt(100);
    if (kind < Math.min(resource.limit(), 4)) {
      // Only beats keep that. Not often where nobody else can go on meanwhile.
      return Resource.WINDOW.toMillis() + random.nextInt(500);
    }
    return kind < 15 ? random.nextInt(300) : random.nextInt(15);
  }

  private @Nullable Lease ask(LeaseSemaphore semaphore, int permits, Random random) throws InterruptedException, TimeoutException {
    Duration patience = Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(100) : 500 + random.nextInt(3_500));
    return switch (random.nextInt(8)) {
      case 0 -> semaphore.tryAcquire(permits).orElse(null);
      case 1 -> interrupted(semaphore, permits, patience, random.nextInt(60));
      case 2 -> future(semaphore, permits, patience, random);
      default -> semaphore.acquire(permits, patience);
    };
  }

  private static Lease interrupted(LeaseSemaphore semaphore, int permits, Duration patience, int afterMillis)
      throws InterruptedException, TimeoutException {
    Thread waiting = Thread.currentThread();
    Thread rude =
        Thread.startVirtualThread(
            () -> {
              Soon.pause(afterMillis);
              waiting.interrupt();
            });
    try {
      return semaphore.acquire(permits, patience);
    } finally {
      Soon.holds("nobody interrupts any more", () -> !rude.isAlive());
      Thread.interrupted();
    }
  }

  private static @Nullable Lease future(LeaseSemaphore semaphore, int permits, Duration patience, Random random)
      throws InterruptedException, TimeoutException {
    CompletableFuture<Lease> future = semaphore.acquireAsync(permits, patience);
    boolean hasty = random.nextBoolean();
    try {
      return hasty ? future.get(random.nextInt(60), TimeUnit.MILLISECONDS) : future.get();
    } catch (TimeoutException tooSlow) {
      if (future.cancel(false)) {
        throw tooSlow;
      }
      // It came in the last moment.
      return future.isCompletedExceptionally() ? null : future.join();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof TimeoutException late) {
        throw late;
      }
      if (failed.getCause() instanceof BackendUnavailableException unreachable) {
        throw unreachable;
      }
      throw new IllegalStateException(failed);
    }
  }

  private void hold(Lease lease, long askedAt, long millis) {
    String id = lease.id();
    long got = System.nanoTime();
    journal.write("got", got, lease.name(), id, lease.permits(), lease.fencingToken(), askedAt);
    CountDownLatch told = new CountDownLatch(1);
    lease.onLost(
        why -> {
          journal.write("lost", System.nanoTime(), id, why);
          told.countDown();
        });
    for (long time = got; lease.isValid(); time = System.nanoTime()) {
      // It was valid a moment later, so it was then.
      journal.write("valid", time, id);
      if (time - got >= millis * MILLI || calm) {
        break;
      }
      Soon.pause(LOOK_MILLIS);
    }
    journal.write("ending", System.nanoTime(), id);
    ReleaseResult result = lease.release();
    journal.write("ended", System.nanoTime(), id, result);
    if (result == ReleaseResult.EXPIRED) {
      Soon.holds("its holder is told that " + lease + " is lost", () -> told.getCount() == 0);
    }
  }

  // ---- after the storm ----

  private void served(Resource resource) {
    long start = System.nanoTime();
    while (true) {
      try {
        Lease lease = leases.semaphore(resource.name(), resource.limit()).window(Resource.WINDOW).acquire();
        journal.write("served", System.nanoTime(), resource.name(), System.nanoTime() - start);
        hold(lease, start, 1);
        return;
      } catch (BackendUnavailableException notYet) {
        Soon.pause(20);
      } catch (InterruptedException | TimeoutException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }
}

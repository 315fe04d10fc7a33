// SPDX-License-Identifier: Apache-2.0
import dev.baton.observe.Baton;
import dev.baton.observe.Tracking;
import dev.baton.observe.WaitGraph;
import dev.baton.sync.Mutex;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.ObjectName;

// Three tasks stand in a ring: each holds one lock and waits for the next one's. It is made on purpose here, so that it happens
// every time. Who notices? The JDK does on platform threads, and does not on virtual threads, whichever of its two ways is asked:
// ThreadMXBean.findDeadlockedThreads(), and the thread dump that jstack and "jcmd Thread.print" show. Baton.dump() does.
//
//   ./baton run examples/SilentDeadlock.java

static final int TASKS = 3;

void main() throws Exception {
  Baton.track(Tracking.STACKS);
  try (Ring ring = new Ring(Thread.ofPlatform(), ReentrantLock::new)) {
    IO.println("ReentrantLock, platform threads: the JDK finds " + foundByTheJdk());
  }
  try (Ring ring = new Ring(Thread.ofVirtual(), ReentrantLock::new)) {
    IO.println("ReentrantLock, virtual threads:  the JDK finds " + foundByTheJdk());
  }
  try (Ring ring = new Ring(Thread.ofVirtual(), Mutex::new)) {
    IO.println("Mutex, virtual threads:          the JDK finds " + foundByTheJdk() + ", Baton this:\n");
    WaitGraph graph = Baton.dump();
    IO.println(graph);
  }
}

String foundByTheJdk() throws Exception {
  long[] deadlocked = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
  // What jstack prints, asked of this JVM by itself.
  Object dump = ManagementFactory.getPlatformMBeanServer()
      .invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "threadPrint",
          new Object[] {new String[] {"-l"}}, new String[] {String[].class.getName()});
  boolean inDump = dump.toString().contains("deadlock:");
  return deadlocked == null && !inDump ? "nothing" : deadlocked.length + " threads" + (inDump ? ", and says so in a dump" : "");
}

/** Tasks of which each holds a lock and waits for the next one's; they are let go when it is closed. */
static final class Ring implements AutoCloseable {
  private final List<Thread> threads = new ArrayList<>();

  Ring(Thread.Builder kind, Supplier<Lock> newLock) throws InterruptedException {
    List<Lock> locks = Stream.generate(newLock).limit(TASKS).toList();
    CountDownLatch firstTaken = new CountDownLatch(TASKS);
    CountDownLatch secondAsked = new CountDownLatch(TASKS);
    for (int i = 0; i < TASKS; i++) {
      Lock first = locks.get(i);
      Lock second = locks.get((i + 1) % TASKS);
      threads.add(kind.name("task " + (i + 1)).start(() -> take(first, second, firstTaken, secondAsked)));
    }
    secondAsked.await();
    for (Thread thread : threads) {
      while (thread.getState() != Thread.State.WAITING) { // for the second lock: there is nothing else left
        Thread.sleep(1);
      }
    }
  }

  private static void take(Lock first, Lock second, CountDownLatch firstTaken, CountDownLatch secondAsked) {
    try {
      first.lockInterruptibly();
      try {
        firstTaken.countDown();
        firstTaken.await();
        secondAsked.countDown();
        second.lockInterruptibly();
      } finally {
        first.unlock();
      }
    } catch (InterruptedException letGo) {
      // the ring is over
    }
  }

  @Override
  public void close() throws InterruptedException {
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}

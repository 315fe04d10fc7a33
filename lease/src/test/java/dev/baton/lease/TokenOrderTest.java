// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease;

import static dev.baton.world.RealTime.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A name that comes and goes while somebody else is about to make it. */
class TokenOrderTest {
  private final Leases leases = Leases.inMemory();
  private final LeaseSemaphore semaphore = leases.semaphore("brief", 1).idleTtl(Duration.ofNanos(1));
  private final List<Long> tokens = new CopyOnWriteArrayList<>();
  private final AtomicInteger looks = new AtomicInteger();
  private final Thread other = Thread.ofPlatform().daemon().unstarted(this::use);

  private void use() {
    try (Lease lease = semaphore.acquireUninterruptibly()) {
      tokens.add(lease.fencingToken());
    } catch (Exception timeout) {
      throw new AssertionError(timeout);
    }
  }

  /** The second look at the clock is that of the state of the name, which is made and not known yet. */
  private void meanwhile() {
    if (looks.incrementAndGet() == 2) {
      other.start();
      eventually(() -> other.getState() == Thread.State.BLOCKED || (!other.isAlive() && leases.names().isEmpty()));
    }
  }

  private Host interruptedHost() {
    Host threads = Hosts.threads();
    return (Host)
        Proxy.newProxyInstance(
            Host.class.getClassLoader(),
            new Class<?>[] {Host.class},
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "equals" -> {
                  return proxy == arguments[0];
                }
                case "hashCode" -> {
                  return System.identityHashCode(proxy);
                }
                case "nanoTime" -> meanwhile();
                default -> {
                  // As on threads.
                }
              }
              return method.invoke(threads, arguments);
            });
  }

  @Test
  void itsTokensGoOn() throws Exception {
    Hosts.runOn(interruptedHost(), this::use);
    assertThat(other.join(Duration.ofSeconds(20))).isTrue();
    assertThat(tokens).hasSize(2).isSorted().doesNotHaveDuplicates();
    leases.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.spi;

import static dev.baton.world.RealTime.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import dev.baton.world.StepHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  private final Deadlines deadlines = new Deadlines();
  private final AtomicInteger rung = new AtomicInteger();

  private final class Counted extends Deadlines.Entry {
    @Override
    protected void due() {
      rung.incrementAndGet();
    }
  }

  @Test
  void whatStoodInItWhenItWasStoppedCanStillBeEnded() {
    StepHost host = new StepHost(1);
    List<Counted> entries = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Counted entry = new Counted();
      deadlines.add(host, entry, i);
      entries.add(entry);
    }
    deadlines.stop();
    entries.forEach(deadlines::end);
    assertThat(host.alarms()).isZero();
  }

  @Test
  void whatStoodInItWhenItWasStoppedCanStillBeMovedToAnotherHost() {
    StepHost host = new StepHost(1);
    StepHost other = new StepHost(2);
    Counted entry = new Counted();
    deadlines.add(host, entry, 10);
    deadlines.stop();
    deadlines.add(other, entry, 10);
    assertThat(host.alarms()).isZero();
    assertThat(other.alarms()).isZero();
  }

  @Test
  void lineAfterLineEndsWhileOthersAreAdded() throws Exception {
    Host host = Hosts.threads();
    StepHost other = new StepHost(1);
    int each = 20_000;
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int number = t;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    for (int i = 0; i < each; i++) {
                      deadlines.add(host, new Counted(), host.nanoTime());
                      if (number == 0) {
                        // So that the line of the others is looked for.
                        Counted elsewhere = new Counted();
                        deadlines.add(other, elsewhere, Duration.ofHours(1).toNanos());
                        deadlines.end(elsewhere);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(60))).as("all have been added").isTrue();
    }
    eventually(() -> rung.get() == 4 * each);
  }
}

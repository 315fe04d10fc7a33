// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import dev.baton.lease.Lease;
import dev.baton.lease.Leases;
import java.io.IOException;
import java.nio.file.Path;

/** A process that takes a lease and keeps it, and writes down what it sees of it, until it has lost it or is told to quit. */
final class Holder {
  private Holder() {}

  /** File of the journal, port. */
  public static void main(String[] args) throws Exception {
    Quiet.please();
    Journal journal = new Journal(Path.of(args[0]));
    Resource resource = Resource.ALL.get(0);
    try (Leases leases = Worker.connect(args[1], false)) {
      long asked = System.nanoTime();
      Lease lease = leases.semaphore(resource.name(), resource.limit()).window(Resource.WINDOW).acquire();
      long got = System.nanoTime();
      journal.write("got", got, lease.name(), lease.id(), lease.permits(), lease.fencingToken(), asked);
      lease.onLost(
          why -> {
            journal.write("lost", System.nanoTime(), lease.id(), why);
            System.out.println("lost");
          });
      System.out.println("ready");
      Thread quit = Thread.ofPlatform().daemon().start(Holder::awaitOrder);
      for (long time = got; quit.isAlive(); time = System.nanoTime()) {
        if (lease.isValid()) {
          journal.write("valid", time, lease.id());
        }
        Soon.pause(4);
      }
      journal.write("ending", System.nanoTime(), lease.id());
      journal.write("ended", System.nanoTime(), lease.id(), lease.release());
    }
    System.exit(0);
  }

  private static void awaitOrder() {
    try {
      System.in.read();
    } catch (IOException gone) {
      // Then there is nobody to wait for.
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import java.util.Optional;

/**
 * A live thing that was given a name: what {@link Baton#named} lists and an {@link Observer} is told of.
 *
 * {@snippet :
 * Semaphore connections = Semaphore.of(10).named("db");
 * for (Named thing : Baton.named()) {
 *   thing.usage().ifPresent(usage -> System.out.println(thing + ": " + usage.waiting() + " wait"));
 * }
 * }
 *
 * <p>It does not keep the thing alive: once nobody else has it, {@link #usage} is empty and it is not listed any more. Two things may
 * have the same name, also two of a kind; metrics add them up.
 */
public interface Named {

  /**
   * {@return what kind of thing it is: "semaphore", "mutex", "rwlock", "channel", "broadcast", "batchqueue", "pool",
   * "executor", "scope" or "lease"}
   */
  String kind();

  /** {@return the name it was given} */
  String name();

  /** {@return how much of it is in use at present; empty once the thing is gone} Takes nothing and waits for nobody. */
  Optional<Usage> usage();
}

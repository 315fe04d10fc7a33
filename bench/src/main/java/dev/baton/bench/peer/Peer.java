// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Everything that appears in a table. The {@link #key} is a benchmark method's name or the value of its {@code impl}
 * parameter; the {@link #label} is what a reader sees. Tables keep this order.
 */
public enum Peer {
  // Floors: the same work with no semaphore at all, which nothing can undercut.
  GET_AND_ADDS("getAndAdds", "two bare getAndAdds"),
  BARE_SLEEPERS("bareSleepers", "bare sleepers, as many as permits"),
  BARE_PARK("barePark", "bare LockSupport.park"),
  BATON("baton", "Baton Semaphore"),
  JUC_FAIR("jucFair", "j.u.c Semaphore, fair"),
  JUC_NONFAIR("jucNonfair", "j.u.c Semaphore, non-fair"),
  KOTLIN("kotlin", "Kotlin Semaphore"),
  BATON_MUTEX("batonMutex", "Baton Mutex"),
  LOCK_FAIR("lockFair", "ReentrantLock, fair"),
  LOCK_NONFAIR("lockNonfair", "ReentrantLock, non-fair"),
  KOTLIN_MUTEX("kotlinMutex", "Kotlin Mutex");

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

  /** The Baton class that does the same job: a lock is compared with the mutex, all else with the semaphore. */
  public Peer counterpart() {
    return switch (this) {
      case BATON_MUTEX, LOCK_FAIR, LOCK_NONFAIR, KOTLIN_MUTEX -> BATON_MUTEX;
      case BATON, JUC_FAIR, JUC_NONFAIR, KOTLIN, GET_AND_ADDS, BARE_SLEEPERS, BARE_PARK -> BATON;
    };
  }

  /** Whether it is the same work without a semaphore. */
  public boolean isFloor() {
    return this == GET_AND_ADDS || this == BARE_SLEEPERS || this == BARE_PARK;
  }

  public boolean isBaton() {
    return this == BATON || this == BATON_MUTEX;
  }

  /** Whether its workers are coroutines: {@link #suspendGate} then makes it, else {@link #gate}. */
  public boolean suspends() {
    return this == KOTLIN || this == KOTLIN_MUTEX;
  }

  public Gate gate(int permits) {
    return switch (this) {
      case BATON -> new BatonSemaphore(permits);
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

// SPDX-License-Identifier: Apache-2.0
package dev.baton.scope;

import dev.baton.host.Host;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The forks of a scope in the order in which they came, in an array: a list threaded through them would cost a tenth of a fork.
 * Guarded by its owner.
 *
 * <p>Forks that are gone are taken out when the array is full and large, and off its end by the join.
 */
final class ForkTable {
  private static final int FIRST_LENGTH = 16;

  /** Below this it is not worth a look who is gone. */
  private static final int LARGE = 1_024;

  private @Nullable Fork<?>[] forks = new Fork<?>[FIRST_LENGTH];
  private int size;

  int size() {
    return size;
  }

  Fork<?> get(int index) {
    return Objects.requireNonNull(forks[index]);
  }

  void add(Fork<?> fork, Host host) {
    if (size == forks.length) {
      makeRoom(host);
    }
    forks[size++] = fork;
  }

  private void makeRoom(Host host) {
    if (size >= LARGE) {
      removeGone(host);
    }
    // Not if half of it has become free: then each fork pays for about one look.
    if (size > forks.length / 2) {
      forks = Arrays.copyOf(forks, forks.length * 2);
    }
  }

  private void removeGone(Host host) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      Fork<?> fork = get(i);
      if (!fork.isGone(host)) {
        forks[kept++] = fork;
      }
    }
    Arrays.fill(forks, kept, size, null);
    size = kept;
  }

  /** Takes {@code fork}, one of the last that came, out. */
  void remove(Fork<?> fork) {
    for (int i = size - 1; i >= 0; i--) {
      if (forks[i] == fork) {
        System.arraycopy(forks, i + 1, forks, i, size - i - 1);
        forks[--size] = null;
        return;
      }
    }
  }

  /** Takes those who are gone off the end; returns the last who is not, or null. */
  @Nullable Fork<?> lastNotGone(Host host) {
    while (size > 0 && get(size - 1).isGone(host)) {
      forks[--size] = null;
    }
    return size == 0 ? null : get(size - 1);
  }
}

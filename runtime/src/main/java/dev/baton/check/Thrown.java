// SPDX-License-Identifier: Apache-2.0
package dev.baton.check;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** What the exceptions of a program say of themselves: that is code of the program, and may fail too. */
final class Thrown {
  private Thrown() {}

  static String text(Throwable thrown) {
    try {
      return thrown.toString();
    } catch (Throwable failure) {
      return thrown.getClass().getName() + ", which cannot be described: that threw " + failure.getClass().getName();
    }
  }

  /** The causes of {@code thrown}, the nearest first; each once, should they lead in a circle. */
  static List<Throwable> causes(Throwable thrown) {
    List<Throwable> causes = new ArrayList<>();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(thrown);
    for (Throwable cause = thrown.getCause(); cause != null && seen.add(cause); cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }
}

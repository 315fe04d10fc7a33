// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.time.Duration;
import java.util.List;

/** A name that everybody wants. */
record Resource(String name, int limit) {
  static final String NAMESPACE = "chaos";

  /** The shortest there is, so that a run sees many of them end. */
  static final Duration WINDOW = Duration.ofSeconds(2);

  static final List<Resource> ALL = List.of(new Resource("solo", 1), new Resource("trio", 3), new Resource("five", 5));

  String key(String part) {
    return NAMESPACE + ":{" + name + "}:" + part;
  }
}

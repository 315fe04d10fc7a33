// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import dev.baton.host.Frames;

/** How things are shown in events. */
final class Shown {
  private Shown() {}

  /** What it says of itself; the user's own kind of thing is not asked. */
  static String text(Object primitive) {
    return Frames.isUsers(primitive.getClass().getName()) ? "" : String.valueOf(primitive);
  }
}

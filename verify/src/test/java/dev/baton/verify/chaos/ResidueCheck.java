// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.function.Consumer;

/** When all have gone, nothing is left of them but what is kept of a name for a while; and nobody has complained. */
final class ResidueCheck implements Check {

  @Override
  public void look(History history, Consumer<String> violations) {
    history.residue.forEach(key -> violations.accept("left on the server: " + key));
    history.complaints.forEach(line -> violations.accept("a process said: " + line));
  }
}

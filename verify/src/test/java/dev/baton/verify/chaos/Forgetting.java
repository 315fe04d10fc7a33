// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a server that took the place of another did not know any more. A lease that is forgotten may overlap with others from then on, but for
 * no longer than a window; so may one whose last renewal was forgotten, until it is renewed. A request may be granted several times under one id, if
 * nobody claims what it is granted: a grant is known by its id and its token.
 */
final class Forgetting {
  private final Map<String, Long> leases = new HashMap<>();
  private final Map<String, Long> renewals = new HashMap<>();
  private final Set<String> ids = new HashSet<>();
  private final Set<String> regrants = new HashSet<>();

  Forgetting(History history) {
    for (int i = 1; i < history.epochs.size(); i++) {
      Epoch epoch = history.epochs.get(i);
      history.epochs.get(i - 1).end().forEach((name, known) -> compare(known, Epoch.of(epoch.initial(), name), epoch.cut()));
      for (ServerEvent event : epoch.events()) {
        if (event.kind() == ServerEvent.Kind.GRANTED && ids.contains(event.id())) {
          regrants.add(event.id());
        }
      }
    }
  }

  private void compare(Snapshot known, Snapshot found, long cut) {
    known.held.forEach(
        (id, lease) -> {
          Snapshot.Held now = found.held.get(id);
          if (now == null || now.token() != lease.token()) {
            ids.add(id);
            leases.put(id + lease.token(), cut);
          } else if (now.deadline() < lease.deadline()) {
            renewals.put(id + lease.token(), cut);
          }
        });
  }

  /** When the lease was forgotten; null if it never was. */
  @Nullable Long lease(Tenure tenure) {
    return leases.get(tenure.id + tenure.token);
  }

  /** When its last renewal was forgotten; null if that never was. */
  @Nullable Long renewal(Tenure tenure) {
    return renewals.get(tenure.id + tenure.token);
  }

  /** Whether the request for it was still known and has been granted once more. */
  boolean isGrantedAgain(Tenure tenure) {
    return regrants.contains(tenure.id);
  }

  int count() {
    return leases.size();
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** By how many permits a limit was exceeded because a server had forgotten some, and how long that lasted at most. */
record OverAdmission(int permits, long longest) {

  private record Edge(long time, int permits) {}

  static OverAdmission of(History history) {
    int most = 0;
    long longest = 0;
    for (Resource resource : Resource.ALL) {
      List<Edge> edges = new ArrayList<>();
      for (Tenure tenure : history.tenures) {
        if (tenure.name.equals(resource.name()) && tenure.wasValid()) {
          edges.add(new Edge(tenure.got, tenure.permits));
          edges.add(new Edge(tenure.validUntil, -tenure.permits));
        }
      }
      edges.sort(Comparator.comparingLong(Edge::time).thenComparingInt(edge -> -edge.permits()));
      int now = 0;
      long since = 0;
      for (Edge edge : edges) {
        int before = now;
        now += edge.permits();
        most = Math.max(most, now - resource.limit());
        if (before <= resource.limit() && now > resource.limit()) {
          since = edge.time();
        } else if (before > resource.limit() && now <= resource.limit()) {
          longest = Math.max(longest, edge.time() - since);
        }
      }
    }
    return new OverAdmission(most, longest);
  }

  @Override
  public String toString() {
    return permits + " permits too many for up to " + CapacityCheck.millis(longest) + "; a window is " + Resource.WINDOW.toMillis() + " ms";
  }
}

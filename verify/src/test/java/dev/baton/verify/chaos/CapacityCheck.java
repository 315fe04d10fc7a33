// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Never are more permits valid at once, as their holders have seen it, than the limit says; and never are more held on the server. What a server
 * has forgotten does not count, but has to be over a window later.
 */
final class CapacityCheck implements Check {

  /** Permits that are valid from one moment to another. */
  record Span(Tenure tenure, long from, long to) {}

  private record Edge(long time, boolean begins, Span span) {}

  @Override
  public void look(History history, Consumer<String> violations) {
    Forgetting forgetting = new Forgetting(history);
    for (Resource resource : Resource.ALL) {
      List<Span> spans = new ArrayList<>();
      for (Tenure tenure : history.tenures) {
        if (tenure.name.equals(resource.name()) && tenure.wasValid()) {
          add(tenure, forgetting, spans, violations);
        }
      }
      sweep(spans, resource.limit(), violations);
    }
    Replay.of(history, (epoch, event, before) -> {
      if (event.kind() == ServerEvent.Kind.GRANTED && before.permits() + event.permits() > limit(event.name())) {
        violations.accept("the server granted " + event.id() + " " + event.permits() + " of " + event.name() + " when "
            + before.permits() + " of " + limit(event.name()) + " were held");
      }
    });
  }

  private static int limit(String name) {
    return Resource.ALL.stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow().limit();
  }

  private static void add(Tenure tenure, Forgetting forgetting, List<Span> spans, Consumer<String> violations) {
    long window = Resource.WINDOW.toNanos();
    Long forgotten = forgetting.lease(tenure);
    Long unrenewed = forgetting.renewal(tenure);
    if (forgotten != null) {
      if (tenure.validUntil - forgotten > window && !forgetting.isGrantedAgain(tenure)) {
        violations.accept(tenure + " was valid " + millis(tenure.validUntil - forgotten) + " after the server had forgotten it");
      }
      if (forgotten - tenure.got > 0) {
        spans.add(new Span(tenure, tenure.got, Math.min(forgotten, tenure.validUntil)));
      }
    } else if (unrenewed != null && tenure.validUntil - unrenewed > 0) {
      if (unrenewed - tenure.got > 0) {
        spans.add(new Span(tenure, tenure.got, unrenewed));
      }
      if (tenure.validUntil - unrenewed > window) {
        spans.add(new Span(tenure, Math.max(tenure.got, unrenewed + window), tenure.validUntil));
      }
    } else {
      spans.add(new Span(tenure, tenure.got, tenure.validUntil));
    }
  }

  private static void sweep(List<Span> spans, int limit, Consumer<String> violations) {
    List<Edge> edges = new ArrayList<>();
    for (Span span : spans) {
      edges.add(new Edge(span.from(), true, span));
      edges.add(new Edge(span.to(), false, span));
    }
    // Both ends belong to it.
    edges.sort(Comparator.comparingLong(Edge::time).thenComparing(edge -> !edge.begins()));
    List<Span> now = new ArrayList<>();
    int permits = 0;
    for (Edge edge : edges) {
      if (!edge.begins()) {
        now.remove(edge.span());
        permits -= edge.span().tenure().permits;
        continue;
      }
      now.add(edge.span());
      permits += edge.span().tenure().permits;
      if (permits > limit) {
        violations.accept(permits + " permits were valid at once, the limit is " + limit + ": " + now.stream().map(Span::tenure).toList());
      }
    }
  }

  static String millis(long nanos) {
    return String.format(java.util.Locale.ROOT, "%.1f ms", nanos / 1e6);
  }
}

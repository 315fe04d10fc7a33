// SPDX-License-Identifier: Apache-2.0
package dev.baton.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.observe.WaitGraph.Hold;
import dev.baton.observe.WaitGraph.Node;
import dev.baton.observe.WaitGraph.Relation;
import dev.baton.observe.WaitGraph.Resource;
import dev.baton.observe.WaitGraph.Wait;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What a graph looks like: on a terminal, for Graphviz, as a picture. */
class WaitGraphPicturesTest {
  private static final Resource ONE = new Resource(1, "Mutex 1", "", null);
  private static final Resource TWO = new Resource(2, "Mutex 2", "", null);
  private static final Resource PERMITS = new Resource(3, "Semaphore 1", "0 of 3 available", null);
  private static final Resource TASK = new Resource(4, "Task 1", "", null);
  private static final Node LEFT = new Node(11, "fork-1");
  private static final Node RIGHT = new Node(12, "fork-2");
  private static final Node OTHER = new Node(13, "other");

  private static final WaitGraph PHILOSOPHERS =
      new WaitGraph(
          List.of(
              wait(LEFT, TWO, 0, Duration.ZERO, 31),
              wait(RIGHT, ONE, 0, Duration.ofMillis(3_210), 31),
              wait(OTHER, PERMITS, 2, Duration.ofMinutes(3), 40),
              wait(new Node(14, "joiner"), TASK, 0, Duration.ofNanos(1_500_000), 41)),
          List.of(
              hold(RIGHT, TWO, Relation.HOLDS, 0, 28),
              hold(LEFT, ONE, Relation.HOLDS, 0, 28),
              hold(LEFT, PERMITS, Relation.HOLDS, 1, 27),
              new Hold(Node.unknown("held by somebody"), PERMITS, Relation.HOLDS, 2, List.of()),
              new Hold(OTHER, TASK, Relation.ENDS, 0, List.of())),
          "That is all.");

  private static Wait wait(Node task, Resource resource, long permits, Duration waited, int line) {
    return new Wait(task, resource, permits, waited, stack(line));
  }

  private static Hold hold(Node task, Resource resource, Relation relation, long permits, int line) {
    return new Hold(task, resource, relation, permits, stack(line));
  }

  private static List<StackTraceElement> stack(int line) {
    return List.of(
        new StackTraceElement("dev.baton.sync.ExclusiveLock", "lock", "ExclusiveLock.java", 60),
        new StackTraceElement("com.example.Philosophers", "lambda$eat$0", "Philosophers.java", line));
  }

  @Test
  void theTextTellsTheDeadlockFirst() {
    assertThat(PHILOSOPHERS.toString())
        .isEqualTo(
            """
            Deadlock: 2 tasks wait for each other
              fork-1 waits for Mutex 2 at Philosophers.java:31 (Philosophers.eat)
                which fork-2 took at Philosophers.java:28 (Philosophers.eat)
              fork-2 waits for Mutex 1 at Philosophers.java:31 (Philosophers.eat), for 3.2 s
                which fork-1 took at Philosophers.java:28 (Philosophers.eat)
            2 more tasks wait:
              other waits for 2 permits of Semaphore 1 at Philosophers.java:40 (Philosophers.eat), for 3 min 0 s
                of which fork-1 took 1 permit at Philosophers.java:27 (Philosophers.eat)
                2 permits held by somebody
              joiner waits for Task 1 at Philosophers.java:41 (Philosophers.eat), for 1.5 ms
                until other ends
            Semaphore 1: 0 of 3 available
            That is all.
            """);
  }

  @Test
  void aRingThatMayResolveIsNotCalledADeadlock() {
    WaitGraph graph =
        new WaitGraph(
            List.of(new Wait(LEFT, PERMITS, 1, Duration.ZERO, List.of())),
            List.of(
                new Hold(OTHER, PERMITS, Relation.HOLDS, 1, List.of()),
                new Hold(LEFT, PERMITS, Relation.HOLDS, 2, List.of())));
    assertThat(graph.toText())
        .isEqualTo(
            """
            Cycle: 1 task waits for itself, unless another holder makes way
              fork-1 waits for 1 permit of Semaphore 1
                of which fork-1 has 2 permits
                of which other has 1 permit
            Semaphore 1: 0 of 3 available
            """);
  }

  @Test
  void manyWhoHoldWhatManyWaitForAreListedOnce() {
    int many = 1_000;
    List<Wait> waits = new ArrayList<>();
    List<Hold> holds = new ArrayList<>();
    for (int i = 1; i <= many; i++) {
      holds.add(new Hold(new Node(i, "holder " + i), PERMITS, Relation.HOLDS, 1, List.of()));
      waits.add(new Wait(new Node(many + i, "waiter " + i), PERMITS, 1, Duration.ZERO, List.of()));
    }
    // One of them is in a ring, and who is next in it is said in any case.
    waits.add(new Wait(new Node(7, "holder 7"), PERMITS, 1, Duration.ZERO, List.of()));
    String text = new WaitGraph(waits, holds).toText();
    assertThat(text.lines()).hasSizeLessThan(5 * many);
    assertThat(text.lines().filter("    of which holder 1000 has 1 permit"::equals)).hasSize(1);
    assertThat(text)
        .startsWith(
            """
            Cycle: 1 task waits for itself, unless another holder makes way
              holder 7 waits for 1 permit of Semaphore 1
                of which holder 7 has 1 permit
                of which holder 1 has 1 permit
            """)
        .endsWith(
            """
              waiter 1000 waits for 1 permit of Semaphore 1
                the same 1000 as above
            Semaphore 1: 0 of 3 available
            """);
  }

  @Test
  void anEmptyGraphSaysSo() throws Exception {
    WaitGraph empty = new WaitGraph(List.of(), List.of());
    assertThat(empty.toText()).isEqualTo("Nobody waits.\n");
    assertThat(empty.toDot()).startsWith("digraph").endsWith("}\n");
    assertThat(texts(parsed(empty.toSvg()))).containsExactly("Nobody waits.");
  }

  @Test
  void graphvizGetsTasksResourcesAndRedRings() {
    assertThat(PHILOSOPHERS.toDot())
        .contains(
            "p0 [shape=ellipse, label=\"fork-1\"];",
            "p1 [shape=box, label=\"Mutex 2\"];",
            "p0 -> p1 [label=\"waits at Philosophers.java:31\", color=red, fontcolor=red, penwidth=2];",
            "p1 -> p2 [label=\"taken at Philosophers.java:28\", color=red",
            "[label=\"waits for 2 at Philosophers.java:40\"];",
            "label=\"Semaphore 1\\n0 of 3 available\"",
            "label=\"That is all.\";");
  }

  @Test
  void namesMayContainAnything() throws Exception {
    String evil = "a \"b\" \\ <c> & 'd'\n\u0000\u001b]]>--\ud800";
    WaitGraph graph =
        new WaitGraph(
            List.of(new Wait(new Node(1, evil), new Resource(1, evil, evil, null), 0, Duration.ZERO, List.of())),
            List.of(new Hold(new Node(1, evil), new Resource(1, evil, evil, null), Relation.HOLDS, 0, List.of())),
            evil);
    assertThat(graph.toDot()).contains("label=\"a \\\"b\\\" \\\\ <c> & 'd'\\n");
    assertThat(graph.toDot().lines()).hasSize(10);
    assertThat(texts(parsed(graph.toSvg()))).anyMatch(text -> text.startsWith("a \"b\" \\ <c> & 'd'"));
  }

  @Test
  void thePictureIsAWholeDocumentWithEveryNameAndLine() throws Exception {
    Document svg = parsed(PHILOSOPHERS.toSvg());
    assertThat(svg.getDocumentElement().getNodeName()).isEqualTo("svg");
    assertThat(texts(svg))
        .contains("fork-1", "fork-2", "other", "joiner", "Mutex 1", "Mutex 2", "Semaphore 1", "0 of 3 available", "Task 1")
        .contains("held by somebody", "waits at Philosophers.java:31", "1 taken at Philosophers.java:27", "That is all.");
    assertThat(classes(svg, "path")).filteredOn("arrow red"::equals).hasSize(4);
    assertThat(classes(svg, "rect")).filteredOn("task"::equals).hasSize(4);
    assertThat(classes(svg, "rect")).filteredOn("unknown"::equals).hasSize(1);
    assertThat(PHILOSOPHERS.toSvg()).isEqualTo(PHILOSOPHERS.toSvg()).doesNotContain("NaN", "Infinity");
  }

  private static Document parsed(String svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> texts(Document svg) {
    return elements(svg, "text").stream().map(Element::getTextContent).toList();
  }

  private static List<String> classes(Document svg, String element) {
    return elements(svg, element).stream().map(e -> e.getAttribute("class")).toList();
  }

  private static List<Element> elements(Document svg, String name) {
    NodeList all = svg.getElementsByTagName(name);
    return IntStream.range(0, all.getLength()).mapToObj(i -> (Element) all.item(i)).toList();
  }

  @Test
  void aNameCannotPassForALineOfTheReport() {
    Node forged = new Node(15, "fork\r\nDeadlock: 2 tasks");
    Resource coloured = new Resource(5, "Mutex \u001b[31m\u0000", "", null);
    WaitGraph graph = new WaitGraph(List.of(wait(forged, coloured, 0, Duration.ZERO, 31)), List.of());
    assertThat(graph.toText()).contains("fork\\u000d\\u000aDeadlock").contains("Mutex \\u001b[31m\\u0000").doesNotContain("\nDeadlock: 2");
    assertThat(graph.toDot()).doesNotContain("\u0000").doesNotContain("\u001b");
  }
}

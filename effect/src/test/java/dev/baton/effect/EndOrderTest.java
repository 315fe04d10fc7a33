// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndOrderTest {
  private final EndOrder order = new EndOrder();

  @Test
  void whatEndsLaterHasALargerPlaceWhereverItEnds() {
    long[] places = {
      order.nextOutside(), order.nextInside(), order.nextOutside(), order.nextOutside(), order.nextInside(), order.nextInside(),
      order.nextOutside()
    };

    assertThat(places).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void manyFromOutsideKeepTheirOrderAndStayBehindWhatEndedInside() {
    order.nextInside();
    long before = order.nextOutside();
    for (int i = 0; i < 100_000; i++) {
      long next = order.nextOutside();
      assertThat(next).isGreaterThan(before);
      before = next;
    }

    assertThat(order.nextInside()).isGreaterThan(before);
  }
}

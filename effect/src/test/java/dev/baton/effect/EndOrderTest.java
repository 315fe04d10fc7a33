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
  void moreThanAnyPlaceHasBitsForKeepTheirOrder() {
    order.nextInside();
    long before = order.nextOutside();
    boolean inOrder = true;
    for (int i = 0; i < 1 << 25; i++) {
      if (i % (1 << 20) == 0) {
        order.nextInside();
      }
      long next = order.nextOutside();
      inOrder &= next > before;
      before = next;
    }

    assertThat(inOrder).isTrue();
    assertThat(order.nextInside()).isGreaterThan(before);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotSetTest {
  private final SlotSet slots = new SlotSet();

  @Test
  void numbersComeInOrderOverAllLevels() {
    for (int expected = 1; expected <= 300_000; expected++) {
      assertThat(slots.takeLowest()).isEqualTo(expected);
    }
    slots.free(262_145);
    slots.free(4_097);
    slots.free(64);
    assertThat(slots.takeLowest()).isEqualTo(64);
    assertThat(slots.takeLowest()).isEqualTo(4_097);
    assertThat(slots.takeLowest()).isEqualTo(262_145);
    assertThat(slots.takeLowest()).isEqualTo(300_001);
  }

  @Test
  void itIsAsGoodAsABitSet() {
    for (long seed = 0; seed < 20; seed++) {
      SlotSet tested = new SlotSet();
      BitSet model = new BitSet();
      Random random = new Random(seed);
      int taken = 0;
      for (int i = 0; i < 20_000; i++) {
        // Grows for a while, then shrinks.
        if (taken == 0 || random.nextInt(10) < (i < 12_000 ? 7 : 3)) {
          int expected = model.nextClearBit(1);
          assertThat(tested.takeLowest()).isEqualTo(expected);
          model.set(expected);
          taken++;
        } else {
          int any = model.nextSetBit(1 + random.nextInt(model.length()));
          int slot = any < 0 ? model.nextSetBit(1) : any;
          tested.free(slot);
          model.clear(slot);
          taken--;
        }
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.bench.peer;

import dev.baton.effect.Effects;
import dev.baton.sync.Semaphore;

/** A semaphore per side, with one permit while that side has the turn and has not taken it yet; used by effects. */
final class EffectSemaphoreRelay implements Relay {
  private final Semaphore[] turns = {Semaphore.unbounded(0), Semaphore.unbounded(0)};

  @Override
  public void give(int to) {
    Effects.release(turns[to]);
  }

  @Override
  public void take(int side) {
    Effects.acquire(turns[side]);
  }
}

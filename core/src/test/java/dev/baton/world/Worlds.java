// SPDX-License-Identifier: Apache-2.0
package dev.baton.world;

/** The kinds of worlds. */
public enum Worlds {
  STEPPED,
  VIRTUAL,
  PLATFORM;

  public World create() {
    return switch (this) {
      case STEPPED -> new SteppedWorld();
      case VIRTUAL -> new ThreadWorld(Thread.ofVirtual());
      case PLATFORM -> new ThreadWorld(Thread.ofPlatform().daemon());
    };
  }
}

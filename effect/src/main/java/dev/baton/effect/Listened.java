// SPDX-License-Identifier: Apache-2.0
package dev.baton.effect;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a program returned, and what it told meanwhile.
 *
 * @param value what it returned
 * @param log what it told, in order
 * @param <T> the type of the value
 */
public record Listened<T extends @Nullable Object>(T value, List<LogEntry> log) {

  /** {@return what was told, without the times} */
  public List<@Nullable Object> messages() {
    return log.stream().<@Nullable Object>map(LogEntry::message).toList();
  }
}

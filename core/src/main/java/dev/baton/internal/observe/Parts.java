// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.observe;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What is waited for as a part of something that has the name, as a subscription of its broadcast. Each class of parts says how to find the
 * whole when it is initialized, which it is before there can be an object of it.
 */
public final class Parts {
  private static final Map<Class<?>, Function<Object, Object>> WHOLES = new ConcurrentHashMap<>();

  private Parts() {}

  /** Says what objects of {@code type} are parts of. */
  public static <T> void install(Class<T> type, Function<? super T, ?> whole) {
    WHOLES.put(type, part -> Objects.requireNonNull(whole.apply(type.cast(part))));
  }

  /** What {@code thing} is a part of; itself if that is not known. */
  static Object whole(Object thing) {
    Function<Object, Object> whole = WHOLES.get(thing.getClass());
    return whole == null ? thing : whole.apply(thing);
  }
}

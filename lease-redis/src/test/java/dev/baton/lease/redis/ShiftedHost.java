// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Host;
import dev.baton.host.Hosts;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** Ordinary threads whose clocks, both of them, are wrong by some time. */
final class ShiftedHost {
  private ShiftedHost() {}

  static Host by(Duration time) {
    return by(() -> time);
  }

  /** By a time that may change. */
  static Host by(Supplier<Duration> time) {
    Host threads = Hosts.threads();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          Duration shift = time.get();
          Object[] passed = arguments == null ? new Object[0] : arguments.clone();
          switch (method.getName()) {
            case "equals" -> {
              return proxy == passed[0];
            }
            case "hashCode" -> {
              return System.identityHashCode(proxy);
            }
            case "runsCaller" -> {
              return false;
            }
            case "nanoTime" -> {
              return threads.nanoTime() + shift.toNanos();
            }
            case "now" -> {
              return Instant.now().plus(shift);
            }
            case "schedule", "scheduleLasting" -> passed[0] = (long) passed[0] - shift.toNanos();
            case "parkUntil" -> passed[2] = (long) passed[2] - shift.toNanos();
            default -> {
              // The same in every world.
            }
          }
          try {
            return method.invoke(threads, passed);
          } catch (InvocationTargetException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
          }
        };
    return (Host) Proxy.newProxyInstance(Host.class.getClassLoader(), new Class<?>[] {Host.class}, handler);
  }
}

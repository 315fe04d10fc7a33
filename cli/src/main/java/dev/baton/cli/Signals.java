// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Signals that would end this JVM go to somebody else, until this is closed. The class of the JDK for that is not part of its API proper, and
 * is therefore called by its name; where it is not there, signals end the JVM as ever.
 */
final class Signals implements AutoCloseable {
  /** A signal that asks a program to end. */
  enum Signal {
    HUP(1),
    INT(2),
    TERM(15);

    private final int number;

    Signal(int number) {
      this.number = number;
    }

    /** The exit code of one who ended for this reason. */
    int exitCode() {
      return 128 + number;
    }
  }

  private final List<AutoCloseable> before = new ArrayList<>();

  /** From now on {@code receiver} gets them, on threads of the JDK's. */
  Signals(Consumer<Signal> receiver) {
    for (Signal signal : Signal.values()) {
      try {
        handle(signal, receiver);
      } catch (ReflectiveOperationException | RuntimeException notHere) {
        // It is as it was.
      }
    }
  }

  private void handle(Signal signal, Consumer<Signal> receiver) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object handler =
        Proxy.newProxyInstance(
            Signals.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "handle" -> {
                    receiver.accept(signal);
                    yield null;
                  }
                  case "equals" -> args != null && proxy == args[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> "baton " + signal;
                });
    var handle = type.getMethod("handle", type, handlerType);
    Object subject = type.getConstructor(String.class).newInstance(signal.name());
    Object old = handle.invoke(null, subject, handler);
    before.add(() -> handle.invoke(null, subject, old));
  }

  @Override
  public void close() {
    for (AutoCloseable one : before) {
      try {
        one.close();
      } catch (Exception notPossible) {
        // Then it stays ours; the JVM is about to end.
      }
    }
  }
}

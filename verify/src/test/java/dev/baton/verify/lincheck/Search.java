// SPDX-License-Identifier: Apache-2.0
package dev.baton.verify.lincheck;

import dev.baton.verify.Effort;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Settings of the model checker, and scenarios written by hand. */
final class Search {
  private Search() {}

  /** Random scenarios: so many threads with so many operations each. */
  static ModelCheckingOptions random(int threads, int operations) {
    return new ModelCheckingOptions()
        .threads(threads)
        .actorsPerThread(operations)
        .actorsBefore(2)
        .actorsAfter(0)
        .iterations(Effort.of(4, 40))
        .invocationsPerIteration(Effort.of(60, 1_000));
  }

  /** Only the scenarios that are added to it. */
  static ModelCheckingOptions scripted() {
    return new ModelCheckingOptions().iterations(0).invocationsPerIteration(Effort.of(120, 5_000));
  }

  /** The same over primitives whose futures make each run long: fewer runs in the short form. */
  static ModelCheckingOptions scriptedBriefly() {
    return scripted().invocationsPerIteration(Effort.of(60, 5_000));
  }

  /** Random scenarios, fewer in the short form. */
  static ModelCheckingOptions randomBriefly(int threads, int operations) {
    return random(threads, operations).iterations(Effort.of(3, 40));
  }

  /** One thread per list. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  static ExecutionScenario scenario(List<Actor>... threads) {
    return scenario(List.of(), Arrays.asList(threads), List.of());
  }

  /** Operations that nothing runs beside, then one thread per list, then again operations that nothing runs beside. */
  static ExecutionScenario scenario(List<Actor> before, List<List<Actor>> threads, List<Actor> after) {
    return new ExecutionScenario(new ArrayList<>(before), new ArrayList<>(threads), new ArrayList<>(after), null);
  }

  /** A call of the operation of that name. */
  static Actor call(Class<?> type, String operation, Object... arguments) {
    for (Method method : type.getDeclaredMethods()) {
      if (method.getName().equals(operation)) {
        return new Actor(method, Arrays.asList(arguments), false, false, false, false, false);
      }
    }
    throw new IllegalArgumentException("No operation " + operation + " in " + type.getName());
  }
}

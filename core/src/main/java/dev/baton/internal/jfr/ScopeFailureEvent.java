// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import org.jspecify.annotations.Nullable;

/** A scope whose tasks were stopped because one failed, or its deadline passed. */
@Name("dev.baton.ScopeFailure")
@Label("Baton Scope Failure")
@Description("A scope failed: its first failure, or its deadline, stopped the others")
@Category("Baton")
final class ScopeFailureEvent extends Event {

  @Label("Name")
  @Description("The name of the scope; empty if it has none")
  @Nullable String name;

  @Label("Error")
  @Description("The class of the first failure")
  @Nullable String error;

  @Label("Message")
  @Description("The message of the first failure")
  @Nullable String message;

  @Label("Forks")
  @Description("How many tasks the scope had at that time")
  int forks;

  static void happened(String itsName, Throwable failure, int count) {
    ScopeFailureEvent event = new ScopeFailureEvent();
    if (event.shouldCommit()) {
      event.name = itsName;
      event.error = failure.getClass().getName();
      event.message = message(failure);
      event.forks = count;
      event.commit();
    }
  }

  /** An error of the user's may throw when it is asked. */
  private static String message(Throwable failure) {
    try {
      return String.valueOf(failure.getMessage());
    } catch (RuntimeException foreign) {
      return "";
    }
  }
}

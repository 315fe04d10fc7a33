// SPDX-License-Identifier: Apache-2.0
package dev.baton.internal.fields;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Finds fields for atomic access. */
public final class Fields {
  private Fields() {}

  /** The field {@code name} of the class that looks it up. */
  public static VarHandle find(MethodHandles.Lookup lookup, String name, Class<?> type) {
    try {
      return lookup.findVarHandle(lookup.lookupClass(), name, type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }
}

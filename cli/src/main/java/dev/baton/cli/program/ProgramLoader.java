// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Loads the classes of one program, which sees the JDK and Baton, and nothing of the command itself. */
final class ProgramLoader extends ClassLoader {
  private static final String BATON = "dev.baton.";
  private static final String COMMAND = "dev.baton.cli.";

  private final Map<String, byte[]> classes = new LinkedHashMap<>();

  ProgramLoader(Map<String, byte[]> compiled) {
    super(ClassLoader.getPlatformClassLoader());
    ExitCalls exits = new ExitCalls(compiled);
    compiled.keySet().forEach(name -> classes.put(name, exits.replaceIn(name)));
  }

  /** All classes of the program. Their static initialisers have not run because of this. */
  List<Class<?>> all() {
    List<Class<?>> all = new ArrayList<>();
    for (String name : classes.keySet()) {
      try {
        all.add(Class.forName(name, false, this));
      } catch (ClassNotFoundException | LinkageError unusable) {
        // The program will meet the same error when it uses the class.
      }
    }
    return all;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes != null) {
      return defineClass(name, bytes, 0, bytes.length);
    }
    boolean visible = name.startsWith(BATON) && (!name.startsWith(COMMAND) || name.equals(ProgramExit.class.getName()));
    if (!visible) {
      throw new ClassNotFoundException(name);
    }
    return Class.forName(name, false, ProgramLoader.class.getClassLoader());
  }
}

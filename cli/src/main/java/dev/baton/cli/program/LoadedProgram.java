// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.util.List;

/** A program whose classes are loaded once and whose main is called any number of times. */
public final class LoadedProgram {
  private final ProgramLoader loader;
  private final List<Class<?>> classes;
  private final MainMethod main;

  /**
   * Loads a program.
   *
   * @throws NoProgramException if its first class has no main method that can be called
   */
  public LoadedProgram(SourceFile.Compiled compiled) throws NoProgramException {
    this.loader = new ProgramLoader(compiled.classes());
    this.classes = loader.all();
    this.main =
        MainMethod.of(
            classes.stream()
                .filter(type -> type.getName().equals(compiled.mainClass()))
                .findFirst()
                .orElseThrow(
                    () -> new NoProgramException("its class " + compiled.mainClass() + " cannot be loaded", "Mend that class.")));
  }

  /**
   * Runs all static initialisers, so that the first run of main finds the same as the second. One that fails is left alone: whoever
   * uses the class will get its error.
   */
  public void initialize() {
    for (Class<?> type : classes) {
      try {
        Class.forName(type.getName(), true, loader);
      } catch (ClassNotFoundException | LinkageError failed) {
        // As said above.
      }
    }
  }

  /** Calls main once. */
  public void main(List<String> arguments) throws Exception {
    main.call(arguments.toArray(String[]::new));
  }

  /** Where its classes come from: the context of the threads it runs on. */
  public ClassLoader loader() {
    return loader;
  }

  /** What its static fields hold now. */
  public StaticState staticState() {
    return StaticState.of(classes);
  }
}

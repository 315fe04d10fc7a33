// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli.program;

import java.util.List;

/** A program whose classes are loaded once and whose main is called any number of times. */
public final class LoadedProgram {
  private final SourceFile.Compiled compiled;
  private final ProgramLoader loader;
  private final List<Class<?>> classes;
  private final MainMethod main;

  /**
   * Loads a program.
   *
   * @throws NoProgramException if its first class has no main method that can be called
   */
  public LoadedProgram(SourceFile.Compiled compiled) throws NoProgramException {
    this.compiled = compiled;
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
      } catch (ClassNotFoundException | Error failed) {
        // As said above; of an error that an initialiser throws, nothing is wrapped in a LinkageError.
      }
    }
  }

  /** The same program with classes of its own, and static fields that nobody has touched. */
  public LoadedProgram loadedAgain() {
    try {
      LoadedProgram again = new LoadedProgram(compiled);
      again.initialize();
      return again;
    } catch (NoProgramException e) {
      throw new IllegalStateException("it was a program before", e);
    }
  }

  /** Calls main once. Meanwhile the calling thread has the loader of the program, and those that it starts keep it. */
  public void main(List<String> arguments) throws Exception {
    Thread caller = Thread.currentThread();
    ClassLoader before = caller.getContextClassLoader();
    caller.setContextClassLoader(loader);
    try {
      main.call(arguments.toArray(String[]::new));
    } finally {
      caller.setContextClassLoader(before);
    }
  }

  /** Whether it has static fields at all that could change, or hold something that could. */
  public boolean hasStaticState() {
    return StaticState.isPossibleIn(classes);
  }

  /** What its static fields hold now. */
  public StaticState staticState() {
    return StaticState.of(classes);
  }
}

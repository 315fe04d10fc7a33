// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Says what is wrong with a command line in a few lines, instead of burying it under the whole help text. */
final class UsageErrors implements IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException error, String[] args) {
    CommandLine command = error.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    PrintWriter err = command.getErr();
    err.println(Colours.ofErrors().errorText(name + ": " + new UsageWords(command, args).of(error)));
    err.println("See '" + name + " --help'.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}

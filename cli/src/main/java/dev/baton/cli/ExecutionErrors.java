// SPDX-License-Identifier: Apache-2.0
package dev.baton.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** What goes wrong while a command runs: of a file in one line, of anything else as what it is, a bug of ours. */
final class ExecutionErrors implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception error, CommandLine command, @Nullable ParseResult parsed) {
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    switch (error) {
      case IOException io -> err.println(name + ": " + describe(io));
      case UncheckedIOException io -> err.println(name + ": " + describe(Objects.requireNonNull(io.getCause())));
      default -> {
        err.println(name + ": this is a bug in Baton, not in what it was given. Please report it with what follows.");
        error.printStackTrace(err);
      }
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  /** The file, and the words of the system; exceptions of files have only its name as their message. */
  private static String describe(IOException error) {
    if (!(error instanceof FileSystemException file)) {
      return Objects.toString(error.getMessage(), error.toString());
    }
    String reason =
        switch (file) {
          case NoSuchFileException _ -> "there is no such file or directory";
          case AccessDeniedException _ -> "permission denied";
          default -> Objects.toString(file.getReason(), file.getClass().getSimpleName());
        };
    return file.getFile() + ": " + reason;
  }
}

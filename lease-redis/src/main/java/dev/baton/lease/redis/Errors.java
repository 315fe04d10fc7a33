// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.lease.BackendUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What errors of Redis mean. */
final class Errors {
  /** States of a server that pass. An error inside a script has something in front. */
  private static final List<String> PASSING =
      List.of(
          "LOADING ",
          "READONLY ",
          "CLUSTERDOWN ",
          "TRYAGAIN ",
          "MOVED ",
          "ASK ",
          "access a non local key",
          "MASTERDOWN ",
          "BUSY ",
          "NOREPLICAS ");

  private Errors() {}

  static Throwable cause(Throwable error) {
    Throwable cause = error;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Whether the server has said that it cannot do this now: it may do it soon, and whatever is asked may be asked again. */
  static boolean passes(Throwable error) {
    String message = cause(error).getMessage();
    return cause(error) instanceof RedisCommandExecutionException
        && message != null
        && PASSING.stream().anyMatch(message::contains);
  }

  /** Whether the server has refused it, so that nothing has happened. */
  static boolean refused(Throwable error) {
    return cause(error) instanceof RedisCommandExecutionException;
  }

  /** Whether no answer has come in time: it may have been done all the same, and somebody else told of it who does not hear that now. */
  static boolean isLate(Throwable error) {
    return cause(error) instanceof RedisCommandTimeoutException || cause(error) instanceof TimeoutException;
  }

  /** Whether something is wrong with the password, the user or what that may do. */
  static boolean isAboutRights(@Nullable Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null
          && (message.contains("WRONGPASS")
              || message.contains("NOAUTH")
              || message.contains("NOPERM")
              || message.contains("invalid password")
              || message.contains("without any password configured"))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a connection was ended before it could be used, and nobody says why. The client ends one that the server refuses, and sometimes
   * tells of that end instead of the reason: asked again, it mostly tells the reason.
   */
  static boolean isUnexplained(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if ("Connection closed prematurely".equals(cause.getMessage())) {
        return true;
      }
    }
    return false;
  }

  /** For those who asked for {@code what}. */
  static BackendUnavailableException unavailable(String what, @Nullable Throwable error) {
    Throwable cause = error == null ? null : cause(error);
    String said = cause == null ? "no answer in time" : String.valueOf(cause.getMessage());
    // The client speaks of itself there.
    String why = said.startsWith("Currently not connected") ? "there is no connection" : said;
    return new BackendUnavailableException("Redis cannot " + what + ": " + why, cause);
  }
}

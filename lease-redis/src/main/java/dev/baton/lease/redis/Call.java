// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One operation of the script that is asked for, and who wants to know how it went: told once, by a thread of the connection, which is not kept. */
abstract class Call {
  final String name;
  final Encoded.Part operation;

  /** Whether it gives something back. */
  final boolean gives;

  /** Does {@code operation} to {@code name}. */
  Call(String name, String operation, String... arguments) {
    this.name = name;
    this.gives = operation.equals("release");
    String[] all = new String[arguments.length + 2];
    all[0] = operation;
    all[1] = Integer.toString(arguments.length);
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    this.operation = Encoded.Part.of(all);
  }

  /** What the server says: see the script. */
  abstract void answered(Object answer);

  /** There is no answer; whether it was done is not known, unless the {@linkplain Errors#refused server says} that it was not. */
  abstract void failed(Throwable error);

  /** One whose answer arrives as a future. */
  static final class Future extends Call {
    final CompletableFuture<List<Object>> answer = new CompletableFuture<>();

    Future(String name, String operation, String... arguments) {
      super(name, operation, arguments);
    }

    @Override
    @SuppressWarnings("unchecked") // what is not a list stands for a list of that
    void answered(Object value) {
      answer.complete(value instanceof List<?> list ? (List<Object>) list : List.of(value));
    }

    @Override
    void failed(Throwable error) {
      answer.completeExceptionally(error);
    }
  }
}

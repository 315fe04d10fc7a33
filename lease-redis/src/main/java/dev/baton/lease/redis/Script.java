// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The script, called by its digest; sent itself only to a server that does not know it. */
final class Script {
  private static final String TEXT = load();
  private static final String DIGEST = digest();

  private final Keys keys;
  private final String process;
  private final Duration timeout;
  private final boolean timed;

  /** {@code timed}: the client ends by itself what is not answered in time. */
  Script(Keys keys, String process, Duration timeout, boolean timed) {
    this.keys = keys;
    this.process = process;
    this.timeout = timeout;
    this.timed = timed;
  }

  /** Does {@code operation} to {@code name}. The answer arrives on a thread of the connection, which must not be kept. */
  CompletableFuture<List<Object>> call(
      StatefulRedisConnection<String, String> connection, String name, String operation, String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = operation;
    all[1] = keys.channels();
    all[2] = process;
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    String[] names = keys.of(name);
    CompletableFuture<List<Object>> answer = new CompletableFuture<>();
    try {
      connection
          .async()
          .<List<Object>>evalsha(DIGEST, ScriptOutputType.MULTI, names, all)
          .whenComplete(
              (value, error) -> {
                if (error instanceof RedisNoScriptException) {
                  send(connection, names, all, answer);
                } else {
                  complete(answer, value, error);
                }
              });
    } catch (RuntimeException notSent) {
      answer.completeExceptionally(notSent);
    }
    // The timer of the JDK's runs nothing but this.
    return timed || answer.isDone() ? answer : answer.orTimeout(2 * timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static void send(
      StatefulRedisConnection<String, String> connection, String[] names, String[] all, CompletableFuture<List<Object>> answer) {
    try {
      connection
          .async()
          .<List<Object>>eval(TEXT, ScriptOutputType.MULTI, names, all)
          .whenComplete((value, error) -> complete(answer, value, error));
    } catch (RuntimeException notSent) {
      answer.completeExceptionally(notSent);
    }
  }

  private static void complete(CompletableFuture<List<Object>> answer, List<Object> value, Throwable error) {
    if (error != null) {
      answer.completeExceptionally(error);
    } else {
      answer.complete(value);
    }
  }

  private static String load() {
    try (InputStream text = Script.class.getResourceAsStream("lease.lua")) {
      if (text == null) {
        throw new IllegalStateException("lease.lua is missing: the jar is not complete.");
      }
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest() {
    try {
      byte[] sha = MessageDigest.getInstance("SHA-1").digest(TEXT.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sha);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}

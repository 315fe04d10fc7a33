// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandType;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The script, called by its digest; sent itself only to a server that does not know it. */
final class Script {
  private static final String TEXT = load();
  private static final Encoded.Part WHOLE = Encoded.Part.of(TEXT);
  private static final Encoded.Part DIGEST = Encoded.Part.of(digest());

  private final Keys keys;
  private final String process;
  private final Duration timeout;
  private final boolean timed;

  /** What is said by each operation first: its name, where others listen, and who we are. */
  private final ConcurrentHashMap<String, Encoded.Part> openings = new ConcurrentHashMap<>();

  /** {@code timed}: the client ends by itself what is not answered in time. */
  Script(Keys keys, String process, Duration timeout, boolean timed) {
    this.keys = keys;
    this.process = process;
    this.timeout = timeout;
    this.timed = timed;
  }

  /** Does {@code operation} to {@code name}. The answer arrives on a thread of the connection, which must not be kept. */
  CompletableFuture<List<Object>> call(
      RedisClusterAsyncCommands<String, String> connection, String name, String operation, String... arguments) {
    CompletableFuture<List<Object>> answer = new CompletableFuture<>();
    Encoded.Part last = Encoded.Part.of(arguments);
    try {
      send(connection, CommandType.EVALSHA, DIGEST, name, operation, last)
          .whenComplete(
              (value, error) -> {
                if (error instanceof RedisNoScriptException) {
                  sendText(connection, name, operation, last, answer);
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

  private RedisFuture<List<Object>> send(
      RedisClusterAsyncCommands<String, String> connection,
      CommandType type,
      Encoded.Part script,
      String name,
      String operation,
      Encoded.Part arguments) {
    Keys.Name names = keys.encoded(name);
    Encoded.Part opening = openings.computeIfAbsent(operation, op -> Encoded.Part.of(op, keys.channels(), process));
    return connection.dispatch(
        type,
        new NestedMultiOutput<>(StringCodec.UTF8),
        new Encoded(names.first(), script, names.all(), opening, arguments));
  }

  private void sendText(
      RedisClusterAsyncCommands<String, String> connection,
      String name,
      String operation,
      Encoded.Part arguments,
      CompletableFuture<List<Object>> answer) {
    try {
      send(connection, CommandType.EVAL, WHOLE, name, operation, arguments)
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

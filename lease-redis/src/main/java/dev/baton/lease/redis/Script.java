// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
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
import java.util.concurrent.TimeUnit;

/** The script, called by its digest; sent itself only to a server that does not know it. */
final class Script {
  private static final String TEXT = load();
  private static final byte[] TEXT_BYTES = bytes(TEXT);
  private static final byte[] DIGEST = bytes(digest());

  private final Keys keys;
  private final byte[] channels;
  private final byte[] process;
  private final Duration timeout;
  private final boolean timed;

  /** {@code timed}: the client ends by itself what is not answered in time. */
  Script(Keys keys, String process, Duration timeout, boolean timed) {
    this.keys = keys;
    this.channels = bytes(keys.channels());
    this.process = bytes(process);
    this.timeout = timeout;
    this.timed = timed;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Does {@code operation} to {@code name}. The answer arrives on a thread of the connection, which must not be kept. */
  CompletableFuture<List<Object>> call(
      RedisClusterAsyncCommands<String, String> connection, String name, String operation, String... arguments) {
    CompletableFuture<List<Object>> answer = new CompletableFuture<>();
    try {
      send(connection, CommandType.EVALSHA, DIGEST, name, operation, arguments)
          .whenComplete(
              (value, error) -> {
                if (error instanceof RedisNoScriptException) {
                  sendText(connection, name, operation, arguments, answer);
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

  /** By hand, because most of what is sent is always the same: it need not be encoded each time. */
  private RedisFuture<List<Object>> send(
      RedisClusterAsyncCommands<String, String> connection,
      CommandType type,
      byte[] script,
      String name,
      String operation,
      String... arguments) {
    Keys.Name names = keys.of(name);
    CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8).add(script).add(names.others().size() + 1);
    all.addKey(names.first());
    names.others().forEach(all::add);
    all.add(bytes(operation)).add(channels).add(process);
    for (String argument : arguments) {
      all.add(bytes(argument));
    }
    return connection.dispatch(type, new NestedMultiOutput<>(StringCodec.UTF8), all);
  }

  private void sendText(
      RedisClusterAsyncCommands<String, String> connection,
      String name,
      String operation,
      String[] arguments,
      CompletableFuture<List<Object>> answer) {
    try {
      send(connection, CommandType.EVAL, TEXT_BYTES, name, operation, arguments)
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

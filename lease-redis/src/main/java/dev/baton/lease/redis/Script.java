// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import dev.baton.host.Host;
import io.lettuce.core.RedisCommandExecutionException;
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
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** The script, called by its digest; sent itself only to a server that does not know it. */
final class Script {
  private static final String TEXT = load();
  private static final Encoded.Part WHOLE = Encoded.Part.of(TEXT);
  private static final Encoded.Part DIGEST = Encoded.Part.of(digest());
  private static final Encoded.Part ONE = Encoded.Part.of("1");

  private final Keys keys;
  private final Host host;
  private final long timeout;
  private final Grants grants;

  /** What each call begins with: where others listen, and who we are. */
  private final Encoded.Part opening;

  /** Who wants to know what was granted to requests of this process that waited. */
  @FunctionalInterface
  interface Grants {
    /** {@code grants}: id, token, slots and limit of each; {@code sent}: when the call was that made them, by the clock of the store. */
    void told(long sent, List<?> grants);

    /** An answer has not come in time, and may have told of some. */
    default void missed() {}
  }

  /** Who wants to know when an answer is here. */
  interface Following {
    /** So many who waited will be told that they have what they waited for. Not called if there is none. */
    default void begins(int told) {}

    /** Everybody was told. */
    void ends();
  }

  /** {@code timeout}: in nanoseconds; {@link Long#MAX_VALUE} if the client ends by itself what is not answered in time. */
  Script(Keys keys, String process, Host host, long timeout, Grants grants) {
    this.keys = keys;
    this.host = host;
    this.timeout = timeout;
    this.grants = grants;
    this.opening = Encoded.Part.of(keys.channels(), process);
  }

  /** Some operations that are done one after the other in one call. Those of each name are done in their order. */
  final class Batch {
    private final RedisClusterAsyncCommands<String, String> connection;
    private final long sent = host.nanoTime();

    /** In the order in which they are answered. */
    private final List<Call> calls;

    private final List<Encoded.Part> parts = new ArrayList<>();
    private final byte[] key;
    private final CompletionStage<List<Object>> answer;

    /** Sends it. Nobody is told anything before {@link #follow} is called. */
    Batch(RedisClusterAsyncCommands<String, String> connection, List<Call> asked) {
      this.connection = connection;
      parts.add(DIGEST);
      if (asked.size() == 1) {
        Call only = asked.getFirst();
        calls = asked;
        Keys.Name names = keys.encoded(only.name);
        key = names.first();
        parts.addAll(List.of(Keys.counted(1), names.all(), opening, ONE, only.operation));
      } else {
        Map<String, List<Call>> byName = new LinkedHashMap<>();
        for (Call call : asked) {
          byName.computeIfAbsent(call.name, name -> new ArrayList<>(1)).add(call);
        }
        parts.add(Keys.counted(byName.size()));
        byName.keySet().forEach(name -> parts.add(keys.encoded(name).all()));
        parts.add(opening);
        calls = new ArrayList<>(asked.size());
        for (List<Call> same : byName.values()) {
          parts.add(same.size() == 1 ? ONE : Encoded.Part.of(Integer.toString(same.size())));
          same.forEach(call -> parts.add(call.operation));
          calls.addAll(same);
        }
        key = keys.encoded(asked.getFirst().name).first();
      }
      answer = send(CommandType.EVALSHA);
    }

    private CompletionStage<List<Object>> send(CommandType type) {
      try {
        RedisFuture<List<Object>> sending =
            connection.dispatch(type, new NestedMultiOutput<>(StringCodec.UTF8), new Encoded(key, parts));
        // The timer of the JDK's runs nothing but this.
        return timeout == Long.MAX_VALUE
            ? sending
            : sending.toCompletableFuture().copy().orTimeout(timeout, TimeUnit.NANOSECONDS);
      } catch (RuntimeException notSent) {
        return CompletableFuture.failedFuture(notSent);
      }
    }

    /** Has everybody told when the answer is here; {@code then} hears of it before and after that. */
    void follow(Following then) {
      answer.whenComplete(
          (answers, error) -> {
            if (error != null && Errors.cause(error) instanceof RedisNoScriptException) {
              parts.set(0, WHOLE);
              send(CommandType.EVAL).whenComplete((second, failure) -> answered(second, failure, then));
            } else {
              answered(answers, error, then);
            }
          });
    }

    private void answered(List<Object> answers, Throwable error, Following then) {
      try {
        if (error != null && Errors.isLate(error)) {
          safely(grants::missed);
        }
        // First: whoever has waited longest is in a hurry, and others wait for it.
        if (error == null && answers.size() > calls.size()) {
          List<?> told = (List<?>) answers.get(calls.size());
          then.begins(told.size());
          safely(() -> grants.told(sent, told));
        }
        for (int i = 0; i < calls.size(); i++) {
          int index = i;
          safely(() -> tell(calls.get(index), error == null ? answers.get(index) : error));
        }
      } finally {
        // Whatever happens: what stands in the queue waits for this.
        then.ends();
      }
    }

    /** One that fails must not keep the others. */
    private static void safely(Runnable telling) {
      try {
        telling.run();
      } catch (Throwable failure) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, failure);
      }
    }

    private static void tell(Call call, Object answer) {
      if (answer instanceof Throwable error) {
        call.failed(error);
      } else if (answer instanceof List<?> list && !list.isEmpty() && "E".equals(list.getFirst())) {
        call.failed(new RedisCommandExecutionException(String.valueOf(list.get(1))));
      } else {
        call.answered(answer);
      }
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

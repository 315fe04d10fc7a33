// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The arguments of a command as they go to the server. Most of them are always the same, and need not be encoded each time; the others are by
 * whoever sends them, and not by the thread of the connection, of which there is one for all.
 */
final class Encoded extends CommandArgs<String, String> {
  private final byte[] key;
  private final List<Part> parts;

  /** Some arguments, each with its length before it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(int count, byte[] bytes) {
    private static final int FRAME = 8; // what stands around an argument, mostly

    static Part of(String... arguments) {
      int size = 0;
      for (String argument : arguments) {
        size += argument.length() + FRAME;
      }
      Writer writer = new Writer(size);
      for (String argument : arguments) {
        writer.write(argument.getBytes(StandardCharsets.UTF_8));
      }
      return new Part(arguments.length, writer.written());
    }
  }

  /** Writes arguments one after the other. */
  private static final class Writer {
    private static final int MOST_DIGITS = 10;
    private static final int TEN = 10;

    private byte[] bytes;
    private int at;

    Writer(int size) {
      bytes = new byte[size];
    }

    void write(byte[] text) {
      int most = text.length + MOST_DIGITS + 5; // a sign, and two ends of lines
      if (bytes.length - at < most) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, at + most));
      }
      bytes[at++] = '$';
      length(text.length);
      end();
      System.arraycopy(text, 0, bytes, at, text.length);
      at += text.length;
      end();
    }

    private void length(int value) {
      if (value >= TEN) {
        length(value / TEN);
      }
      bytes[at++] = (byte) ('0' + value % TEN);
    }

    private void end() {
      bytes[at++] = '\r';
      bytes[at++] = '\n';
    }

    byte[] written() {
      return at == bytes.length ? bytes : Arrays.copyOf(bytes, at);
    }
  }

  /** These arguments; {@code key} is one of them, by which the node of a cluster is found. */
  Encoded(byte[] key, List<Part> parts) {
    super(StringCodec.UTF8);
    this.key = key;
    this.parts = parts;
  }

  @Override
  public int count() {
    int sum = 0;
    for (Part part : parts) {
      sum += part.count();
    }
    return sum;
  }

  @Override
  public void encode(ByteBuf buffer) {
    for (Part part : parts) {
      buffer.writeBytes(part.bytes());
    }
  }

  @Override
  public ByteBuffer getFirstEncodedKey() {
    return ByteBuffer.wrap(key);
  }

  @Override
  public String toCommandString() {
    return "script of " + new String(key, StandardCharsets.UTF_8);
  }
}

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The arguments of a command as they go to the server. Most of them are always the same, and need not be encoded each time; the others are by
 * whoever sends them, and not by the thread of the connection, of which there is one for all.
 */
final class Encoded extends CommandArgs<String, String> {
  private final Part first;
  private final Part second;
  private final Part third;
  private final Part last;
  private final byte[] key;

  /** Some arguments, each with its length before it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(int count, byte[] bytes) {
    static Part of(String... arguments) {
      ByteArrayOutputStream all = new ByteArrayOutputStream(arguments.length * 32);
      for (String argument : arguments) {
        byte[] text = utf8(argument);
        all.writeBytes(utf8("$" + text.length + "\r\n"));
        all.writeBytes(text);
        all.write('\r');
        all.write('\n');
      }
      return new Part(arguments.length, all.toByteArray());
    }

    private static byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** These arguments; {@code key} is one of them, by which the node of a cluster is found. */
  Encoded(byte[] key, Part first, Part second, Part third, Part last) {
    super(StringCodec.UTF8);
    this.key = key;
    this.first = first;
    this.second = second;
    this.third = third;
    this.last = last;
  }

  @Override
  public int count() {
    return first.count() + second.count() + third.count() + last.count();
  }

  @Override
  public void encode(ByteBuf buffer) {
    buffer.writeBytes(first.bytes()).writeBytes(second.bytes()).writeBytes(third.bytes()).writeBytes(last.bytes());
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

// SPDX-License-Identifier: Apache-2.0
package dev.baton.lease.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;

/** The keys of names. Those of one name have it as their hash tag, so that they lie in one slot of a cluster. */
final class Keys {
  private static final String[] PARTS = {"cfg", "hold", "held", "wait", "slot", "wmeta"};
  private static final Encoded.Part OF_ONE = Encoded.Part.of(Integer.toString(PARTS.length));
  private static final int HEX_DIGITS = 2;

  /** Of how many names the keys are remembered. */
  private static final int REMEMBERED = 1_000;

  private final String namespace;
  private final ConcurrentHashMap<String, Name> remembered = new ConcurrentHashMap<>();

  /** The keys of a name; by the first the node of a cluster is found. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Name(byte[] first, Encoded.Part all) {}

  Keys(String namespace) {
    this.namespace = namespace;
  }

  /** The keys of {@code name}, as the script wants them. */
  String[] of(String name) {
    String prefix = namespace + ":{" + encode(name) + "}:";
    String[] keys = new String[PARTS.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = prefix + PARTS[i];
    }
    return keys;
  }

  /** The keys of {@code name}, as they are sent. */
  Name encoded(String name) {
    Name keys = remembered.get(name);
    if (keys == null) {
      String[] all = of(name);
      keys = new Name(all[0].getBytes(StandardCharsets.UTF_8), Encoded.Part.of(all));
      if (remembered.size() >= REMEMBERED) {
        remembered.clear();
      }
      remembered.put(name, keys);
    }
    return keys;
  }

  /** How many keys so many names have, as it is sent. */
  static Encoded.Part counted(int names) {
    return names == 1 ? OF_ONE : Encoded.Part.of(Integer.toString(names * PARTS.length));
  }

  /** What the configuration of every name looks like. */
  String configurations() {
    return namespace + ":{*}:cfg";
  }

  /** The name whose configuration {@code key} is. */
  String nameOf(String key) {
    return decode(key.substring(namespace.length() + 2, key.length() - "}:cfg".length()));
  }

  /** What the channels of processes begin with. */
  String channels() {
    return namespace + ":to:";
  }

  /** Braces would end the hash tag, and a tag that is empty is none. */
  static String encode(String name) {
    StringBuilder text = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '{' || c == '}' || c == '%' || c < ' ' || c == 0x7f) {
        text.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  static String decode(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream name = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%' && i + HEX_DIGITS < bytes.length) {
        name.write(HexFormat.fromHexDigits(text(bytes, i + 1)));
        i += HEX_DIGITS;
      } else {
        name.write(bytes[i]);
      }
    }
    return name.toString(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes, int from) {
    return new String(bytes, from, HEX_DIGITS, StandardCharsets.US_ASCII);
  }
}
